package dev.lacuna.app.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskLogFilesTest {
    private final DiskLogFiles files = new DiskLogFiles();

    @TempDir
    Path folder;

    @Test
    void finds_the_logs_of_all_ranks_below_a_folder_in_order() throws IOException {
        Path nested = Files.createDirectory(folder.resolve("node0"));
        Files.writeString(nested.resolve("rank0.log"), "a");
        Files.writeString(folder.resolve("rank1.log"), "b");
        Files.writeString(folder.resolve(".swp"), "c");
        assertThat(files.logsAt(folder.toString()))
                .containsExactly(
                        nested.resolve("rank0.log").toString(),
                        folder.resolve("rank1.log").toString());
    }

    @Test
    void takes_a_file_as_it_is() throws IOException {
        Path log = Files.writeString(folder.resolve("train.log"), "text");
        assertThat(files.logsAt(log.toString())).containsExactly(log.toString());
        try (InputStream in = files.open(log.toString())) {
            assertThat(in.readAllBytes()).asString().isEqualTo("text");
        }
    }

    @Test
    void says_what_is_wrong_with_a_path() {
        assertThatThrownBy(() -> files.logsAt(folder.resolve("missing.log").toString()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("there is no such file");
        assertThatThrownBy(() -> files.open("/dev/zero"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no regular file");
    }
}
