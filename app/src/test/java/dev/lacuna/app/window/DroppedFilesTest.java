package dev.lacuna.app.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DroppedFilesTest {
    @TempDir
    private Path folder;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void knows_recordings_by_their_content_and_not_by_their_name() throws IOException {
        assertThat(DroppedFiles.isRecording(file("a.log", "# made today\n\ntotal 1024\nalloc a 512\n")))
                .isTrue();
        assertThat(DroppedFiles.isRecording(file("b.txt", "ts_ns,op,addr,size,thread\n1,A,0x1,2,3\n")))
                .isTrue();
        assertThat(DroppedFiles.isRecording(file(
                        "c.pickle", "[rank0]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB")))
                .isFalse();
    }

    @Test
    void looks_into_packed_files() throws IOException {
        Path packed = folder.resolve("run.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            out.write("alloc 1 4096\nfree 1\n".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(DroppedFiles.isRecording(packed)).isTrue();
    }

    @Test
    void leaves_folders_and_what_is_not_there_to_the_logs() {
        assertThat(DroppedFiles.isRecording(folder)).isFalse();
        assertThat(DroppedFiles.isRecording(folder.resolve("gone"))).isFalse();
    }
}
