package dev.lacuna.app.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.app.cli.CommandLineFactory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code lacuna plan} of a model: a Python writes its graph. The Pythons here are scripts. */
class GraphExportTest {
    private static final Path GRAPH = Path.of("src/test/resources/dev/lacuna/app/fuzz/seeds/graph/node-link.json")
            .toAbsolutePath();

    @TempDir
    private Path folder;

    private Path scripted;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final StringWriter told = new StringWriter();

    @BeforeEach
    void model() throws IOException {
        scripted = folder.resolve("net.pt");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(scripted))) {
            zip.putNextEntry(new ZipEntry("net/code/__torch__.py"));
            zip.write(1);
        }
    }

    private Path python(String body) throws IOException {
        Path python = Files.writeString(folder.resolve("python"), "#!/bin/sh\n" + body);
        return Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwx------"));
    }

    private int plan(String... words) {
        CommandLine line = CommandLineFactory.create().setErr(new PrintWriter(told, true));
        PrintStream before = System.out;
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            return line.execute(words);
        } finally {
            System.setOut(before);
        }
    }

    @Test
    void a_model_is_planned_for_by_the_graph_that_its_python_writes() throws IOException {
        Path words = folder.resolve("words");
        Path python = python("echo \"$@\" >'" + words + "'; echo warning >&2; cat '" + GRAPH + "'\n");
        assertThat(plan("plan", scripted.toString(), "--python", python.toString(), "--input", "8,3,224,224", "--json"))
                .isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("\"kind\":\"graph\"");
        assertThat(words).hasContent("-m lacuna graph " + scripted + " --input 8,3,224,224");
    }

    @Test
    void what_is_missing_is_told_with_the_command_that_does_it_elsewhere() throws IOException {
        Path python = python("echo warning >&2; echo \"lacuna: $4: no torch here\" >&2; exit 3\n");
        assertThat(plan("plan", scripted.toString(), "--python", python.toString()))
                .isEqualTo(3);
        assertThat(told.toString())
                .contains("could not be written: no torch here", "--python names the Python")
                .contains("-m lacuna graph " + scripted + " --input SHAPE -o " + folder.resolve("net.graph.json"))
                .doesNotContain("warning");
        Path shapeless = python("echo \"lacuna: $4: give --input\" >&2; exit 3\n");
        assertThat(plan("plan", scripted.toString(), "--python", shapeless.toString()))
                .isEqualTo(3);
        assertThat(told.toString()).contains("Name the shapes of its inputs");
        assertThat(plan(
                        "plan",
                        scripted.toString(),
                        "--python",
                        folder.resolve("none").toString()))
                .isEqualTo(3);
        assertThat(told.toString()).contains("none could not be started");
        assertThat(plan("plan", scripted.toString(), "--input", "8,0")).isEqualTo(2);
    }
}
