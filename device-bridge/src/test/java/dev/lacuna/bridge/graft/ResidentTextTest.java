package dev.lacuna.bridge.graft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.hosted.AgentPackage;
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
        Files.writeString(folder.resolve("order.txt"), "second\nfirst\n");
        Files.writeString(
                folder.resolve("first.py"), "from .second import (\n    a,\n    b,\n)\nfrom .second import c\npass\n");
        Files.writeString(folder.resolve("second.py"), "from os import a\n");
        String written = new String(
                new ResidentText(folder).written(Path.of("/run/l"), "/tmp/no", 7, "1.2"), StandardCharsets.UTF_8);
        assertThat(written)
                .isEqualTo(
                        "_lacuna_graft = {\"directory\": \"/run/l\", \"refused\": \"/tmp/no\", \"reader_pid\": 7, \"interval_ms\": 50,"
                                + " \"version\": \"1.2\"}\nfrom os import a\npass\n");
    }

    @Test
    void it_is_what_the_python_package_makes_of_the_same_modules() throws Exception {
        AgentPackage agent = AgentPackage.unpack(folder);
        Process python = new ProcessBuilder(
                        "/usr/bin/python3",
                        "-B",
                        "-c",
                        "import sys; from lacuna.graft import text; print(end=text.posted())")
                .directory(agent.pythonPath().toFile())
                .start();
        assertThat(new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(new ResidentText(agent.residentText()).modules())
                .contains("class Resident:");
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
