package dev.lacuna.bridge.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.Reply;
import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.base.counters.MemoryCounters;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGKILL at random points, of either side. What is random is when, so that nothing here asserts a time. */
class SuddenDeathTest {
    private static final int OFTEN = 20;
    private static final int VERY_OFTEN = 200;
    private static final Duration SHORTEST = Duration.ofMillis(10);

    private final Random random = new Random();

    @TempDir
    private Path directory;

    private LocalTrainingProcesses processes;

    @BeforeEach
    void a_rendezvous_of_our_own() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        processes = new LocalTrainingProcesses(directory, "test");
    }

    @Test
    void a_trainer_killed_at_any_point_leaves_a_readable_black_box_and_nothing_else() throws Exception {
        for (int i = 0; i < OFTEN; i++) {
            killTrainer();
        }
        requireTidy();
    }

    @Test
    @Tag("nightly")
    void a_trainer_killed_at_any_point_two_hundred_times() throws Exception {
        for (int i = 0; i < VERY_OFTEN; i++) {
            killTrainer();
        }
        requireTidy();
    }

    @Test
    void a_reader_killed_at_any_point_does_not_touch_the_trainer() throws Exception {
        killReaders(OFTEN);
    }

    @Test
    @Tag("nightly")
    void a_reader_killed_at_any_point_two_hundred_times() throws Exception {
        killReaders(VERY_OFTEN);
    }

    private void killTrainer() throws Exception {
        Recorder recorder = new Recorder();
        try (Trainer trainer = Trainer.start(directory);
                AttachedProcess attached = processes.attach(trainer.pid())) {
            attached.subscribe(SHORTEST, recorder);
            CompletableFuture<Reason> commands = CompletableFuture.supplyAsync(() -> commanding(attached));
            Thread.sleep(0, random.nextInt(1_000_000));
            Thread.sleep(random.nextInt(30));
            trainer.kill();
            List<Sample> samples = recorder.until(ProcessState.GONE);
            assertThat(commands.get(1, TimeUnit.MINUTES)).isEqualTo(Reason.GONE);
            assertThat(recorder.left()).isEmpty();
            assertThat(recorder.faults()).isEmpty();
            requireSound(samples.get(samples.size() - 1));
            requireReadable(trainer.pid());
        }
    }

    /** Commands without rest until one fails; why it did. */
    private static Reason commanding(AttachedProcess attached) {
        try {
            for (int i = 0; true; i++) {
                attached.apply(Change.optimisation(i % 2 == 0));
            }
        } catch (BridgeException e) {
            return e.reason();
        }
    }

    private void requireReadable(long pid) throws BridgeException {
        TrainingProcess box = processes.blackBoxes().stream()
                .filter(process -> process.pid() == pid)
                .findFirst()
                .orElseThrow();
        try (AttachedProcess opened = processes.open(box)) {
            Sample last = opened.sample();
            assertThat(last.state()).isEqualTo(ProcessState.GONE);
            assertThat(last.events().size()).isPositive();
            requireSound(last);
        }
    }

    /** Of a torn record only each figure by itself is true. */
    private static void requireSound(Sample sample) {
        MemoryCounters c = sample.devices().get(0);
        assertThat(c.reservedBytes()).isBetween(0L, c.totalBytes());
        if (!sample.torn()) {
            assertThat(c.gap().totalBytes()).isEqualTo(c.gapNowBytes());
        }
    }

    private void requireTidy() throws Exception {
        assertThat(processes.living()).isEmpty();
        try (Stream<Path> files = Files.list(directory)) {
            // The audit is turned over once it is long: at most one older part beside it.
            List<String> names =
                    new ArrayList<>(files.map(f -> f.getFileName().toString()).toList());
            names.removeAll(List.of("audit.log", "audit.log.1"));
            assertThat(names).allMatch(name -> name.endsWith(".mem"));
            assertThat(names).hasSizeLessThanOrEqualTo(Housekeeping.KEPT_BLACK_BOXES);
        }
    }

    private void killReaders(int times) throws Exception {
        try (Trainer trainer = Trainer.start(directory);
                AttachedProcess attached = processes.attach(trainer.pid())) {
            for (int i = 0; i < times; i++) {
                Process reader = startReader(trainer.pid());
                Thread.sleep(random.nextInt(60));
                reader.destroyForcibly().waitFor();
                long step = attached.sample().devices().get(0).step();
                assertThat(attached.apply(Change.fraction(1.0))).isInstanceOf(Reply.Applied.class);
                awaitStepAfter(attached, step);
            }
            assertThat(trainer.finish()).isZero();
        }
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(f -> f.getFileName().toString())).containsExactly("audit.log");
        }
    }

    private static void awaitStepAfter(AttachedProcess attached, long step) throws Exception {
        Recorder recorder = new Recorder();
        try (AutoCloseable subscription = attached.subscribe(SHORTEST, recorder)) {
            recorder.until(sample -> sample.devices().get(0).step() > step);
        }
    }

    private Process startReader(long pid) throws Exception {
        Process reader = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        ReaderProgram.class.getName(),
                        directory.toString(),
                        Long.toString(pid))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(reader.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("reading");
        return reader;
    }
}
