package dev.lacuna.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.app.Main;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Whatever is thrown, the status is that of a fault, and never that of something found. */
class FaultStatusTest {
    @Test
    void recursion_without_end_is_a_fault() {
        assertThat(ends(() -> depth(1)))
                .endsWith("java.lang.StackOverflowError")
                .hasLineCount(62);
    }

    @Test
    void too_little_memory_is_a_fault_that_says_what_to_do() {
        assertThat(ends(() -> new byte[Integer.MAX_VALUE].length))
                .contains("JAVA_TOOL_OPTIONS=-Xmx")
                .hasLineCount(1);
    }

    @Test
    void an_exception_is_a_fault_after_where_it_was_thrown() {
        assertThat(ends(() -> Integer.parseInt("x"))).contains("at dev.lacuna").contains("please report it");
    }

    @Test
    void a_command_line_that_cannot_be_made_is_a_fault() {
        String complaint = complaint(() -> CommandLineFactory.run(() -> {
            throw new NoClassDefFoundError("missing");
        }));
        assertThat(complaint).contains("missing").contains("please report it");
    }

    @Test
    void what_fails_while_a_fault_is_told_is_a_fault() {
        for (CommandLine command : CommandLineFactory.create().getSubcommands().values()) {
            assertThat(command.getCommandSpec().exitCodeOnExecutionException()).isEqualTo(70);
        }
    }

    /** A real process: a command that needs a library that is not there ends with an Error. */
    @Test
    void a_program_that_lacks_a_part_ends_with_70(@TempDir Path folder) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("model.yaml"), "model_config: {num_layers: 4}\n");
        String incomplete = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(part -> !part.contains("jackson"))
                .collect(Collectors.joining(File.pathSeparator));
        Path said = folder.resolve("said");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        incomplete,
                        Main.class.getName(),
                        "mindformers",
                        file.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(process.waitFor()).as(Files.readString(said)).isEqualTo(70);
        assertThat(Files.readString(said)).contains("NoClassDefFoundError", "lacuna: ");
    }

    /** Does what it is told. */
    @Command(name = "does")
    private record Does(Callable<Integer> what) implements Callable<Integer> {
        @Override
        public Integer call() throws Exception {
            return what.call();
        }
    }

    private static String ends(Callable<Integer> command) {
        return complaint(() ->
                CommandLineFactory.run(() -> CommandLineFactory.create().addSubcommand(new Does(command)), "does"));
    }

    private static String complaint(Callable<Integer> run) {
        PrintStream before = System.err;
        ByteArrayOutputStream complained = new ByteArrayOutputStream();
        try {
            System.setErr(new PrintStream(complained, true, StandardCharsets.UTF_8));
            assertThat(run.call()).isEqualTo(70);
        } catch (Exception e) {
            throw new AssertionError(e);
        } finally {
            System.setErr(before);
        }
        return complained.toString(StandardCharsets.UTF_8).strip();
    }

    private static int depth(int above) {
        return above == 0 ? 0 : 1 + depth(above + 1);
    }
}
