package dev.lacuna.app.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever a file holds, each reader understands it or refuses it in words, within 512 MB of heap and five seconds of processor. What
 * breaks a reader is kept in {@code target/fuzz}; mended, it moves to {@code found/READER} in the resources.
 */
class ReadersTest {
    /** Of each reader; {@code -Dlacuna.fuzz.seconds=N} for more. */
    private static final int NIGHTLY_SECONDS = 6;

    @TempDir
    private Path folder;

    @Test
    void every_seed_is_understood() throws Exception {
        assertThat(run("seeds").readersWithInputs()).isEqualTo(readers().size());
    }

    @Test
    void what_once_broke_a_reader_breaks_none() throws Exception {
        List<String> readers = readers().stream().map(Reader::name).toList();
        try (var kept =
                Files.list(Path.of(ReadersTest.class.getResource("found").toURI()))) {
            assertThat(kept.map(each -> each.getFileName().toString()))
                    .isNotEmpty()
                    .isSubsetOf(readers);
        }
        run("found");
    }

    @Test
    void twenty_damaged_inputs_of_each_break_no_reader() throws Exception {
        assertThat(run("inputs", "20", "1").readersWithInputs())
                .isEqualTo(readers().size());
    }

    @Test
    @Tag("nightly")
    void as_many_damaged_inputs_as_there_is_time_for_break_no_reader() throws Exception {
        int seconds = Integer.getInteger("lacuna.fuzz.seconds", NIGHTLY_SECONDS);
        long seed = System.currentTimeMillis();
        System.out.println("seed " + seed);
        Optional<String> only = Optional.ofNullable(System.getProperty("lacuna.fuzz.reader"));
        List<String> arguments = new ArrayList<>(List.of("for", Integer.toString(seconds * 1000), Long.toString(seed)));
        only.ifPresent(arguments::add);
        Ended ended = run(arguments.toArray(String[]::new));
        assertThat(ended.readersWithInputs())
                .isEqualTo(only.isPresent() ? 1 : readers().size());
    }

    /** Were the run blind, none of the above could fail. */
    @ParameterizedTest
    @ValueSource(strings = {"by recursion", "by a loop", "by memory", "by an exception"})
    void a_reader_that_breaks_is_told(String how) throws Exception {
        String reader = Readers.BROKEN + how;
        Ended ended = started(folder, 1, "inputs", "5", "1", reader);
        assertThat(ended.status()).isEqualTo(FuzzRun.BROKEN);
        assertThat(ended.said()).contains("BROKEN " + reader);
        try (var kept = Files.list(folder)) {
            assertThat(kept.filter(file -> file.toString().endsWith(".broke"))).hasSize(1);
        }
    }

    private List<Reader> readers() {
        return Readers.all(folder).stream()
                .filter(reader -> !reader.name().startsWith(Readers.BROKEN))
                .toList();
    }

    /** @param said what it printed */
    private record Ended(int status, String said) {
        long readersWithInputs() {
            return said.lines()
                    .filter(line -> line.matches("[\\w ]+: [1-9]\\d* inputs"))
                    .count();
        }
    }

    private static Ended run(String... arguments) throws IOException, InterruptedException {
        Ended ended = started(Files.createDirectories(Path.of("target", "fuzz")), 5, arguments);
        System.out.print(ended.said());
        assertThat(ended.status()).as(ended.said()).isZero();
        return ended;
    }

    /** In a process of its own, whose heap is bounded and which ends with a reader that takes more of processors than this. */
    private static Ended started(Path folder, int mostSeconds, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "-D" + FuzzRun.MOST + "=" + mostSeconds,
                FuzzRun.class.getName(),
                folder.toAbsolutePath().toString()));
        command.addAll(List.of(arguments));
        Path said = Files.createTempFile(folder, "said", ".txt");
        int status = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start()
                .waitFor();
        return new Ended(status, Files.readString(said));
    }
}
