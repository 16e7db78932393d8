package dev.lacuna.bridge.graft;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResidentTextTest {
    @TempDir
    private Path folder;

    @Test
    void a_line_before_the_text_says_where_to_write_and_for_whom() throws Exception {
        Path text = Files.writeString(folder.resolve("resident.py"), "pass\n");
        String written =
                new String(new ResidentText(text).written(Path.of("/run/l"), 7, "1.2"), StandardCharsets.UTF_8);
        assertThat(written)
                .isEqualTo("_lacuna_graft = {\"directory\": \"/run/l\", \"reader_pid\": 7, \"interval_ms\": 50,"
                        + " \"version\": \"1.2\"}\npass\n");
    }

    @Test
    void a_folder_of_any_name_is_printable_ascii_and_reads_back_in_python() throws Exception {
        String name = "/tmp/a \"quoted\" \\ 显存 \n😀";
        String literal = ResidentText.literal(name);
        assertThat(literal).matches("[\\x20-\\x7e]+");
        Process python = new ProcessBuilder(
                        "/usr/bin/python3", "-c", "import sys; sys.stdout.buffer.write((" + literal + ").encode())")
                .start();
        assertThat(new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(name);
    }
}
