package dev.lacuna.app.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.app.files.FileKind;
import dev.lacuna.ui.window.FileOpener;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DroppedFilesTest {
    @TempDir
    private Path folder;

    private FileKind kind(String name, String text) throws IOException {
        return FileKind.of(Files.writeString(folder.resolve(name), text));
    }

    private FileKind kind(String name, int... begin) throws IOException {
        byte[] bytes = new byte[64];
        for (int i = 0; i < begin.length; i++) {
            bytes[i] = (byte) begin[i];
        }
        return FileKind.of(Files.write(folder.resolve(name), bytes));
    }

    @Test
    void knows_recordings_by_their_content_and_not_by_their_name() throws IOException {
        assertThat(kind("a.log", "# made today\n\ntotal 1024\nalloc a 512\n")).isEqualTo(FileKind.RECORDING);
        assertThat(kind("b.txt", "ts_ns,op,addr,size,thread\n1,A,0x1,2,3\n")).isEqualTo(FileKind.RECORDING);
        assertThat(kind("c.pickle", "[rank0]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB"))
                .isEqualTo(FileKind.LOG);
    }

    @Test
    void looks_into_packed_files() throws IOException {
        Path packed = folder.resolve("run.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            out.write("alloc 1 4096\nfree 1\n".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(FileKind.of(packed)).isEqualTo(FileKind.RECORDING);
    }

    @Test
    void takes_settings_for_settings_and_logs_in_json_for_logs() throws IOException {
        assertThat(kind("llama.yaml", "model:\n  arch: llama\n")).isEqualTo(FileKind.CONFIGURATION);
        assertThat(kind("config.json", "{\n  \"hidden_size\": 4096\n}")).isEqualTo(FileKind.CONFIGURATION);
        assertThat(kind("x-json.log", "{\"log\":\"step 1\\n\",\"stream\":\"stdout\"}\n"))
                .isEqualTo(FileKind.LOG);
        assertThat(kind("container.json", "{\"log\":\"step 1\\n\",\"stream\":\"stdout\"}\n"))
                .isEqualTo(FileKind.LOG);
    }

    @Test
    void tells_folders_of_files_from_empty_ones_and_leaves_what_is_not_there_to_the_logs() throws IOException {
        assertThat(FileKind.of(folder)).isEqualTo(FileKind.EMPTY_FOLDER);
        kind("rank0.log", "step 1\n");
        assertThat(FileKind.of(folder)).isEqualTo(FileKind.FOLDER);
        assertThat(FileKind.of(folder.resolve("gone"))).isEqualTo(FileKind.LOG);
    }

    @Test
    void lets_into_a_place_only_what_may_be_of_its_kind() {
        FileOpener place = new FileOpener() {
            @Override
            public void choose() {}

            @Override
            public void open(List<File> files) {}
        };
        assertThat(Stream.of(FileKind.values())
                        .filter(kind -> DroppedFiles.Door.ofRecordings(place)
                                .takers()
                                .apply(kind)
                                .isPresent()))
                .containsExactlyInAnyOrder(FileKind.RECORDING, FileKind.CONFIGURATION, FileKind.LOG, FileKind.BINARY);
        assertThat(Stream.of(FileKind.values())
                        .filter(kind -> DroppedFiles.Door.ofPlans(place, place)
                                .takers()
                                .apply(kind)
                                .isPresent()))
                .containsExactlyInAnyOrder(
                        FileKind.RECORDING, FileKind.CONFIGURATION, FileKind.LOG, FileKind.LIFETIMES);
    }

    @Test
    void knows_tables_of_lifetimes_and_models_by_their_content() throws IOException {
        assertThat(kind("blocks.txt", "id,lower,upper,size\na,0,5,8\n")).isEqualTo(FileKind.LIFETIMES);
        assertThat(kind("net.onnx", 0x08, 0x07, 0x12)).isEqualTo(FileKind.MODEL);
        assertThat(kind("net.bin", 0x08, 0x07, 0x12))
                .as("no name, no magic number")
                .isEqualTo(FileKind.BINARY);
        assertThat(FileKind.of(zip("net.pt", "net/data.pkl", "net/code/__torch__.py")))
                .isEqualTo(FileKind.MODEL);
        assertThat(FileKind.of(zip("new.pt2", "net/data/weights/w", "net/models/model.json")))
                .isEqualTo(FileKind.MODEL);
        assertThat(FileKind.of(zip("old.pt2", "version", "serialized_exported_program.json")))
                .isEqualTo(FileKind.MODEL);
        assertThat(FileKind.of(zip("state.pt", "state/data.pkl", "state/data/0")))
                .isEqualTo(FileKind.ARCHIVE);
    }

    private Path zip(String name, String... entries) throws IOException {
        Path file = folder.resolve(name);
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file))) {
            for (String entry : entries) {
                out.putNextEntry(new ZipEntry(entry));
                out.write(1);
            }
        }
        return file;
    }

    @Test
    void a_model_comes_with_the_command_that_writes_its_graph() throws IOException {
        Path scripted = zip("my net.pt", "net/data.pkl", "net/code/__torch__.py");
        assertThat(DroppedFiles.graphCommand(scripted))
                .endsWith("python3 -m lacuna graph '" + scripted + "' --input SHAPE -o '"
                        + folder.resolve("my net.graph.json") + "'");
        assertThat(DroppedFiles.graphCommand(zip("net.pt2", "serialized_exported_program.json")))
                .doesNotContain("--input");
    }

    @Test
    void knows_what_people_take_for_a_log_or_a_recording() throws IOException {
        assertThat(kind("empty.log", "")).isEqualTo(FileKind.EMPTY);
        assertThat(kind("shot.png", 0x89, 'P', 'N', 'G')).isEqualTo(FileKind.PICTURE);
        assertThat(kind("photo", 0xff, 0xd8, 0xff)).isEqualTo(FileKind.PICTURE);
        assertThat(kind("paper", '%', 'P', 'D', 'F')).isEqualTo(FileKind.DOCUMENT);
        assertThat(kind("model.pt", 'P', 'K', 3, 4)).isEqualTo(FileKind.ARCHIVE);
        assertThat(kind("python3", 0x7f, 'E', 'L', 'F')).isEqualTo(FileKind.PROGRAM);
        assertThat(kind("weights", 1, 2, 3, 4)).isEqualTo(FileKind.BINARY);
        assertThat(kind("begin.log", "BMW factory: step 1\n")).isEqualTo(FileKind.LOG);
        assertThat(FileKind.of(Files.write(
                        folder.resolve("utf16.log"), "CUDA out of memory".getBytes(StandardCharsets.UTF_16LE))))
                .isEqualTo(FileKind.LOG);
    }
}
