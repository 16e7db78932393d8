package dev.lacuna.bridge.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.ProcessRecording;
import dev.lacuna.bridge.recording.BlackBoxFormat;
import dev.lacuna.bridge.rendezvous.LocalTrainingProcesses;
import dev.lacuna.core.history.Recordings;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.DeviceFigures;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.MemoryAtMoment;
import dev.lacuna.core.history.model.Moment;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.history.model.RecordingNotice;
import dev.lacuna.core.history.model.RecordingNotice.Kind;
import dev.lacuna.core.history.timeline.Rewind;
import dev.lacuna.core.history.timeline.Timeline;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a recording shows against the books of the native allocator that was recorded. */
@Timeout(120)
class RecordedBooksTest {
    @TempDir
    private Path directory;

    private Process host;
    private BufferedReader said;

    /** The allocator's live blocks, and its counters. */
    private record Books(Set<String> blocks, long[] counters) {
        long allocated() {
            return counters[1];
        }

        long remaps() {
            return counters[6];
        }
    }

    @BeforeEach
    void ownDirectory() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }

    @AfterEach
    void end() {
        host.destroyForcibly();
    }

    private void start(String optimisation, long seed) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                BookProgram.class.getName(),
                optimisation,
                Long.toString(seed));
        builder.environment().put("LACUNA_DIR", directory.toString());
        host = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        said = host.inputReader(StandardCharsets.UTF_8);
        assertThat(said.readLine()).isEqualTo("ready");
    }

    private Books train(int requests) throws IOException {
        PrintStream ask = new PrintStream(host.getOutputStream(), true, StandardCharsets.UTF_8);
        ask.println(requests);
        Set<String> blocks = new HashSet<>();
        String line = said.readLine();
        for (; !line.startsWith("counters"); line = said.readLine()) {
            blocks.add(line);
        }
        String[] words = line.split(" ");
        long[] counters = new long[words.length - 1];
        for (int i = 0; i < counters.length; i++) {
            counters[i] = Long.parseLong(words[i + 1]);
        }
        return new Books(blocks, counters);
    }

    private ProcessRecording record(Path file) throws Exception {
        LocalTrainingProcesses processes = new LocalTrainingProcesses(directory, "test");
        return processes.record(processes.living().get(0), file);
    }

    private static Recording open(Path file) throws IOException {
        return new Recordings(List.of(new BlackBoxFormat())).open(file, OpenRequest.ALL);
    }

    private static Set<String> liveBlocks(DeviceHistory device) {
        Moment end = new Rewind(device).at(device.size());
        Set<String> out = new HashSet<>();
        for (int i = 0; i < end.blocks(); i++) {
            int a = end.block(i);
            out.add(device.addressOf(a) + " " + device.bytesOf(a) + " " + device.requestedOf(a) + " "
                    + device.agentPoolOf(a).map(Enum::name).orElse("-"));
        }
        return out;
    }

    private static List<Kind> notices(Recording recording) {
        return recording.notices().stream().map(RecordingNotice::kind).toList();
    }

    /** The state at the end as the file's figures, the block map and the timeline tell it. */
    private static void assertAllEqual(DeviceHistory device, Books books) {
        DeviceFigures figures = device.figures();
        Moment map = new Rewind(device).at(device.size());
        MemoryAtMoment line = Timeline.of(device).reader().at(device.size());
        long[] expected = java.util.Arrays.copyOf(books.counters(), 6);
        assertThat(new long[] {
                    figures.reservedBytes(),
                    figures.allocatedBytes(),
                    figures.requestedBytes(),
                    figures.gap().releasableBytes(),
                    figures.gap().splitBytes(),
                    figures.gap().pendingBytes()
                })
                .containsExactly(expected);
        for (MemoryAtMoment at : List.of(map.totals(), line)) {
            assertThat(new long[] {
                        at.reserved(),
                        at.allocated(),
                        at.requested(),
                        at.gap().releasableBytes(),
                        at.gap().splitBytes(),
                        at.gap().pendingBytes()
                    })
                    .containsExactly(expected);
        }
        for (int a = 0; a < map.blocks(); a++) {
            assertThat(map.pieceOf(map.block(a)))
                    .as("a block lies in known memory")
                    .isPresent();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"on", "off"})
    void a_recorded_process_ends_with_the_blocks_of_its_allocator_s_books(String optimisation) throws Exception {
        start(optimisation, 7);
        Path file = directory.resolve("run.trace");
        ProcessRecording recording = record(file);
        Books books = train(30_003);
        recording.stop();
        assertThat(recording.ended().get(30, TimeUnit.SECONDS).lostEvents()).isZero();
        Recording opened = open(file);
        assertThat(notices(opened)).isEmpty();
        assertThat(opened.truncated()).isFalse();
        DeviceHistory device = opened.devices().get(0);
        assertThat(device.addressed()).isTrue();
        assertThat(liveBlocks(device)).isEqualTo(books.blocks());
        assertAllEqual(device, books);
        if (optimisation.equals("on")) {
            assertThat(books.remaps())
                    .as("chunks moved, and their sources were told")
                    .isPositive();
        }
        assertThat(opened.annotations()).extracting(mark -> mark.name()).contains("step");
    }

    @Test
    void a_black_box_shows_the_last_blocks_of_a_process_that_was_killed() throws Exception {
        start("on", 8);
        Books books = train(20_000);
        host.destroyForcibly().waitFor();
        Recording opened = open(box());
        assertThat(notices(opened)).as("killed by whom is not known").containsExactly(Kind.ENDED_UNTOLD);
        assertThat(liveBlocks(opened.devices().get(0))).isEqualTo(books.blocks());
        assertAllEqual(opened.devices().get(0), books);
    }

    @ParameterizedTest
    @ValueSource(strings = {"on", "off"})
    void what_a_late_recording_cannot_know_is_one_block_and_all_else_is_right(String optimisation) throws Exception {
        start(optimisation, 9);
        train(120_000);
        Path file = directory.resolve("late.trace");
        ProcessRecording recording = record(file);
        // No pause behind the last requests: what was done right before the end is in the recording.
        Books books = train(10_003);
        recording.stop();
        assertThat(recording.ended().get(30, TimeUnit.SECONDS).lostEvents()).isZero();
        DeviceHistory device = open(file).devices().get(0);
        Set<String> known = liveBlocks(device).stream()
                .filter(block -> !block.startsWith("0 "))
                .collect(Collectors.toSet());
        List<String> wrong = new ArrayList<>(known);
        wrong.removeAll(books.blocks());
        assertThat(wrong).isEmpty();
        assertThat(known).hasSizeGreaterThan(books.blocks().size() / 2);
        assertThat(device.figures().allocatedBytes()).isEqualTo(books.allocated());
        assertThat(device.figures().reservedBytes()).isEqualTo(books.counters()[0]);
    }

    @Test
    void a_file_that_was_cut_shows_what_was_whole_and_says_so() throws Exception {
        start("on", 10);
        Path file = directory.resolve("run.trace");
        ProcessRecording recording = record(file);
        train(3_000);
        recording.stop();
        recording.ended().get(30, TimeUnit.SECONDS);
        byte[] whole = Files.readAllBytes(file);
        int events = open(file).devices().get(0).size();
        int lineEnd = new String(whole, StandardCharsets.UTF_8).indexOf("\n", whole.length / 2) + 1;
        for (int length : new int[] {whole.length / 2, lineEnd, whole.length - 1}) {
            Path cut = Files.write(directory.resolve("cut.trace"), java.util.Arrays.copyOf(whole, length));
            Recording opened = open(cut);
            assertThat(opened.truncated()).isTrue();
            assertThat(notices(opened)).contains(Kind.RECORDING_CUT);
            assertThat(opened.devices().get(0).size()).isBetween(events / 4, events);
        }
    }

    private Path box() throws IOException {
        try (var files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".mem"))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
