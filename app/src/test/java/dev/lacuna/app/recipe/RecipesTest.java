package dev.lacuna.app.recipe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.app.Main;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * CONTRIBUTING.md's recipes, followed: one file each, named in one line. Here the line is one of META-INF/services, in a folder that only
 * these processes have on their class path, so that no other test meets the fakes.
 */
class RecipesTest {
    private static final long PATIENCE_S = 120;

    @TempDir
    private Path folder;

    private Path trace;

    @BeforeEach
    void writeTrace() throws IOException {
        trace = Files.writeString(folder.resolve("run.fake"), "fake trace\n1048576\n2097152\n");
    }

    private String lacuna(String... words) throws Exception {
        Path services = Path.of("src", "test", "recipes").toAbsolutePath();
        assertThat(services).isDirectory();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Duser.language=en",
                "-cp",
                services + File.pathSeparator + System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(words));
        Path said = folder.resolve("said");
        Process process = new ProcessBuilder(command)
                .redirectOutput(said.toFile())
                .redirectError(folder.resolve("errors").toFile())
                .start();
        assertThat(process.waitFor(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(() -> read(folder.resolve("errors"))).isZero();
        return read(said);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void a_policy_and_a_format_are_replayed() throws Exception {
        assertThat(lacuna("replay", trace.toString(), "--policy", "caching,fake-policy", "--json"))
                .contains("\"policy\":\"fake-policy\"")
                .contains("\"peak_allocated_bytes\":2097152");
    }

    @Test
    void a_format_is_opened_and_a_rule_looks_at_it() throws Exception {
        assertThat(lacuna("snapshot", trace.toString(), "--json"))
                .contains("\"format\":\"fake-format\"")
                .contains("\"fake-rule\"");
    }

    @Test
    void a_grammar_is_read() throws Exception {
        Path log = Files.writeString(folder.resolve("train.log"), "fake framework: no memory for 512 MiB\n");
        assertThat(lacuna("diagnose", log.toString(), "--json"))
                .contains("\"framework\":\"other\"")
                .contains("\"tried_bytes\":536870912");
    }

    @Test
    void a_policy_stands_in_the_help() throws Exception {
        assertThat(lacuna("replay", "--help")).contains("segregated").contains("fake-policy");
    }
}
