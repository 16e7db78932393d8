package dev.lacuna.bridge.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.Reply;
import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.event.MemoryEvents;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The bridge against a real process that carries the real agent. */
class AttachedTrainerTest {
    private static final Duration TENTH = Duration.ofMillis(100);
    private static final Duration SHORTEST = Duration.ofMillis(10);

    @TempDir
    private Path directory;

    private LocalTrainingProcesses processes;

    @BeforeEach
    void a_rendezvous_of_our_own() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        processes = new LocalTrainingProcesses(directory, "test");
    }

    @Test
    void finds_it_and_says_who_it_is() throws Exception {
        try (Trainer trainer = Trainer.start(directory)) {
            List<TrainingProcess> living = processes.living();
            assertThat(living).singleElement().satisfies(process -> {
                assertThat(process.pid()).isEqualTo(trainer.pid());
                assertThat(process.command()).endsWith("trainer");
                assertThat(process.control()).isTrue();
                assertThat(process.state()).isEqualTo(ProcessState.RUNNING);
                assertThat(process.devices())
                        .singleElement()
                        .satisfies(device -> assertThat(device.totalBytes()).isEqualTo(256L << 20));
            });
            assertThat(processes.blackBoxes()).isEmpty();
        }
    }

    @Test
    @Timeout(30)
    void offers_no_control_of_a_process_that_became_another_program() throws Exception {
        try (Trainer trainer = Trainer.start(directory, "exec")) {
            trainer.becomes("sleep");
            assertThat(processes.living())
                    .singleElement()
                    .satisfies(process -> assertThat(process.control()).isFalse());
        }
    }

    @Test
    void samples_keep_coming_and_every_event_is_seen_or_counted() throws Exception {
        try (Trainer trainer = Trainer.start(directory);
                AttachedProcess attached = processes.attach(trainer.pid())) {
            Recorder recorder = new Recorder();
            AutoCloseable subscription = attached.subscribe(TENTH, recorder);
            Recorder fast = new Recorder();
            AutoCloseable fastSubscription = attached.subscribe(SHORTEST, fast);
            int[] count = {0};
            requireUnbroken(recorder.until(sample -> ++count[0] == 15));
            requireUnbroken(fast.until(sample -> ++count[0] == 65));
            subscription.close();
            fastSubscription.close();
            assertThat(recorder.faults()).isEmpty();
        }
    }

    @Test
    void counters_are_consistent_and_move() throws Exception {
        try (Trainer trainer = Trainer.start(directory);
                AttachedProcess attached = processes.attach(trainer.pid())) {
            Recorder recorder = new Recorder();
            try (AutoCloseable subscription = attached.subscribe(SHORTEST, recorder)) {
                long first = recorder.until(s -> true).get(0).devices().get(0).step();
                List<Sample> samples = recorder.until(s -> s.devices().get(0).step() > first + 20);
                assertThat(samples).allSatisfy(sample -> {
                    MemoryCounters c = sample.devices().get(0);
                    assertThat(sample.torn()).isFalse();
                    assertThat(c.gap().totalBytes()).isEqualTo(c.reservedBytes() - c.allocatedBytes());
                    assertThat(c.requestedBytes()).isLessThanOrEqualTo(c.allocatedBytes());
                    assertThat(c.pools().stream()
                                    .mapToLong(p -> p.reservedBytes())
                                    .sum())
                            .isEqualTo(c.reservedBytes());
                    assertThat(c.timeNs()).isLessThanOrEqualTo(sample.monotonicNs());
                });
            }
        }
    }

    @Test
    void a_change_is_acknowledged_with_figures_and_then_seen_in_the_samples() throws Exception {
        try (Trainer trainer = Trainer.start(directory);
                AttachedProcess attached = processes.attach(trainer.pid())) {
            Reply reply = attached.apply(Change.fraction(0.94));
            assertThat(reply).isInstanceOfSatisfying(Reply.Applied.class, applied -> {
                assertThat(applied.fraction()).isEqualTo(0.94);
                assertThat(applied.limitBytes()).isEqualTo((long) (0.94 * (256L << 20)));
                assertThat(applied.before()).containsKeys("reserved_bytes", "split_bytes");
                assertThat(applied.after().get("reserved_bytes")).isNotNegative();
            });
            assertThat(attached.apply(Change.optimisation(true)))
                    .isInstanceOfSatisfying(
                            Reply.Applied.class,
                            a -> assertThat(a.optimisation()).isTrue());
            MemoryCounters counters = attached.sample().devices().get(0);
            assertThat(counters.fraction()).isEqualTo(0.94);
            assertThat(counters.optimisation()).isTrue();
            assertThat(Files.readString(directory.resolve("audit.log")))
                    .contains("by=test")
                    .contains("fraction=0.94");
        }
    }

    @Test
    void a_cap_that_would_kill_the_next_step_is_refused_unless_forced() throws Exception {
        try (Trainer trainer = Trainer.start(directory);
                AttachedProcess attached = processes.attach(trainer.pid())) {
            assertThat(attached.apply(Change.fraction(0.01))).isInstanceOfSatisfying(Reply.Refused.class, refused -> {
                assertThat(refused.code()).isEqualTo("would-fail");
                assertThat(refused.lowestSafeFraction()).isPresent();
                assertThat(refused.lowestSafeFraction().getAsDouble()).isBetween(0.01, 1.0);
            });
            assertThat(attached.sample().devices().get(0).fraction()).isEqualTo(1.0);
            assertThat(attached.apply(Change.fraction(0.2).forced())).isInstanceOf(Reply.Applied.class);
            assertThat(attached.apply(Change.fraction(1.5)))
                    .isInstanceOfSatisfying(
                            Reply.Refused.class, r -> assertThat(r.code()).isEqualTo("out-of-range"));
            assertThat(attached.apply(Change.fraction(Double.NaN))).isInstanceOf(Reply.Refused.class);
        }
    }

    @Test
    void a_stopped_process_is_seen_as_stopped_and_takes_no_command_until_it_goes_on() throws Exception {
        try (Trainer trainer = Trainer.start(directory);
                AttachedProcess attached = processes.attach(trainer.pid())) {
            Recorder recorder = new Recorder();
            try (AutoCloseable subscription = attached.subscribe(SHORTEST, recorder)) {
                recorder.until(ProcessState.RUNNING);
                trainer.signal("STOP");
                recorder.until(ProcessState.STOPPED);
                assertThat(processes.living().get(0).state()).isEqualTo(ProcessState.STOPPED);
                assertThatThrownBy(() -> attached.apply(Change.fraction(0.9)))
                        .isInstanceOfSatisfying(
                                BridgeException.class,
                                e -> assertThat(e.reason()).isEqualTo(Reason.TIMED_OUT))
                        .hasMessageContaining("nothing was sent");
                trainer.signal("CONT");
                recorder.until(ProcessState.RUNNING);
                assertThat(attached.apply(Change.optimisation(false)))
                        .isInstanceOfSatisfying(
                                Reply.Applied.class,
                                a -> assertThat(a.fraction()).isEqualTo(1.0));
                assertThat(recorder.faults()).isEmpty();
            }
        }
    }

    @Test
    void the_last_sample_says_gone_and_the_black_box_tells_how_it_ended() throws Exception {
        Trainer trainer = Trainer.start(directory, "oom");
        try (AttachedProcess attached = processes.attach(trainer.pid())) {
            Recorder recorder = new Recorder();
            attached.subscribe(SHORTEST, recorder);
            recorder.until(ProcessState.RUNNING);
            trainer.kill();
            recorder.until(ProcessState.GONE);
            assertThatThrownBy(() -> attached.apply(Change.optimisation(true)))
                    .isInstanceOfSatisfying(
                            BridgeException.class, e -> assertThat(e.reason()).isEqualTo(Reason.GONE));
            assertThat(recorder.left()).as("samples after the last").isEmpty();
        }
        assertThat(processes.living()).isEmpty();
        TrainingProcess box = processes.blackBoxes().get(0);
        assertThat(box.pid()).isEqualTo(trainer.pid());
        assertThat(box.control()).isFalse();
        try (AttachedProcess opened = processes.open(box)) {
            assertThat(opened.lastOutOfMemory())
                    .hasValueSatisfying(text -> assertThat(text).contains("Tried to allocate 300.00 MiB"));
            Sample last = opened.sample();
            assertThat(last.state()).isEqualTo(ProcessState.GONE);
            assertThat(last.devices()).hasSize(1);
            assertThat(last.events().size()).isPositive();
            assertThat(opened.sample().events().size()).isZero();
        }
        assertThat(files()).allMatch(name -> name.endsWith(".mem") || name.equals("audit.log"));
    }

    @Test
    void a_clean_end_leaves_no_file_and_ends_the_samples() throws Exception {
        Trainer trainer = Trainer.start(directory);
        try (AttachedProcess attached = processes.attach(trainer.pid())) {
            Recorder recorder = new Recorder();
            attached.subscribe(SHORTEST, recorder);
            recorder.until(ProcessState.RUNNING);
            assertThat(trainer.finish()).isZero();
            recorder.until(ProcessState.GONE);
            assertThat(attached.sample().state()).isEqualTo(ProcessState.GONE);
        }
        assertThat(processes.living()).isEmpty();
        assertThat(processes.blackBoxes()).isEmpty();
        assertThat(files()).isEmpty();
    }

    @Test
    void attachments_leave_no_descriptor_behind() throws Exception {
        try (Trainer trainer = Trainer.start(directory)) {
            processes.attach(trainer.pid()).close();
            long before = descriptors();
            for (int i = 0; i < 100; i++) {
                try (AttachedProcess attached = processes.attach(trainer.pid())) {
                    attached.sample();
                    attached.apply(Change.fraction(1.0));
                }
                processes.living();
            }
            assertThat(descriptors()).isLessThan(before + 20);
        }
    }

    @Test
    void many_attached_at_once_are_all_served() throws Exception {
        try (Trainer one = Trainer.start(directory);
                Trainer two = Trainer.start(directory)) {
            assertThat(processes.living())
                    .extracting(TrainingProcess::pid)
                    .containsExactlyInAnyOrder(one.pid(), two.pid());
            try (AttachedProcess first = processes.attach(one.pid());
                    AttachedProcess second = processes.attach(two.pid())) {
                first.apply(Change.fraction(0.8));
                assertThat(first.sample().devices().get(0).fraction()).isEqualTo(0.8);
                assertThat(second.sample().devices().get(0).fraction()).isEqualTo(1.0);
            }
        }
    }

    /** Sequence numbers go up by one; where they do not, the loss count has grown by just what is missing. */
    private static void requireUnbroken(List<Sample> samples) {
        long next = -1;
        long lost = 0;
        for (Sample sample : samples) {
            MemoryEvents events = sample.events();
            for (int i = 0; i < events.size(); i++) {
                if (next >= 0) {
                    assertThat(events.sequence(i) - next).isEqualTo(i == 0 ? sample.lostEvents() - lost : 0);
                }
                next = events.sequence(i) + 1;
            }
            lost = sample.lostEvents();
        }
        assertThat(next).as("there were events at all").isPositive();
    }

    private List<String> files() throws Exception {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(f -> f.getFileName().toString()).toList();
        }
    }

    private static long descriptors() throws Exception {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }
}
