package dev.lacuna.bridge.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.SampleListener;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.process.LinuxProcesses;
import dev.lacuna.bridge.process.PidNamespaces;
import dev.lacuna.bridge.synthetic.SyntheticAgent;
import dev.lacuna.bridge.wire.TelemetryLayout.Device;
import dev.lacuna.bridge.wire.TelemetryLayout.Header;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalTrainingProcessesTest {
    /** Above the kernel's highest pid: never a living process. */
    private static final long DEAD_PID = 5_000_000;

    private static final long OWN_PID = ProcessHandle.current().pid();
    private static final long OWN_START =
            new LinuxProcesses().startTicks(OWN_PID).orElseThrow();

    @TempDir
    private Path directory;

    private LocalTrainingProcesses processes;

    @BeforeEach
    void a_rendezvous_of_our_own() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        processes = new LocalTrainingProcesses(directory, "test");
    }

    @Test
    void follows_the_rule_for_its_directory() {
        assertThat(RendezvousDirectory.standard(Map.of("LACUNA_DIR", "/a", "XDG_RUNTIME_DIR", "/run/user/7"), 7))
                .isEqualTo(Path.of("/a"));
        assertThat(RendezvousDirectory.standard(Map.of("LACUNA_DIR", "", "XDG_RUNTIME_DIR", "/run/user/7"), 7))
                .isEqualTo(Path.of("/run/user/7/lacuna"));
        assertThat(RendezvousDirectory.standard(Map.of("XDG_RUNTIME_DIR", ""), 7))
                .isEqualTo(Path.of("/tmp/lacuna-7"));
    }

    @Test
    void a_directory_that_is_not_there_holds_nobody() throws Exception {
        LocalTrainingProcesses nowhere = new LocalTrainingProcesses(directory.resolve("none"), "test");
        assertThat(nowhere.living()).isEmpty();
        assertThat(nowhere.blackBoxes()).isEmpty();
        assertFails(() -> nowhere.attach(OWN_PID), Reason.GONE);
    }

    @Test
    void a_directory_open_to_others_or_behind_a_link_is_refused() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
        assertFails(() -> new LocalTrainingProcesses(link, "test").living(), Reason.NOT_PERMITTED);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertFails(processes::living, Reason.NOT_PERMITTED);
        assertFails(() -> processes.attach(OWN_PID), Reason.NOT_PERMITTED);
    }

    @Test
    void damaged_and_planted_files_are_left_out_of_lists_and_explained_on_attaching() throws Exception {
        Path telemetry = directory.resolve(OWN_PID + "-" + OWN_START + ".mem");
        Files.writeString(telemetry, "no telemetry at all");
        assertThat(processes.living()).isEmpty();
        assertFails(() -> processes.attach(OWN_PID), Reason.UNREADABLE);
        Files.delete(telemetry);
        Files.createSymbolicLink(telemetry, Path.of("/etc/hostname"));
        assertThat(processes.living()).isEmpty();
        assertFails(() -> processes.attach(OWN_PID), Reason.NOT_PERMITTED);
    }

    @Test
    void a_file_that_names_another_process_inside_is_not_believed() throws Exception {
        SyntheticAgent.ofThisProcess(directory).put32(Header.PID, 1);
        assertThat(processes.living()).isEmpty();
        assertFails(() -> processes.attach(OWN_PID), Reason.UNREADABLE);
    }

    @Test
    void a_reused_pid_is_another_process() throws Exception {
        SyntheticAgent.of(directory, OWN_PID, OWN_START - 1);
        assertThat(processes.living()).isEmpty();
        assertFails(() -> processes.attach(OWN_PID), Reason.GONE);
        TrainingProcess old = processes.blackBoxes().get(0);
        assertThat(old.state()).isEqualTo(ProcessState.GONE);
        try (AttachedProcess box = processes.open(old)) {
            assertThat(box.sample().state()).isEqualTo(ProcessState.GONE);
            assertFails(() -> box.apply(Change.optimisation(true)), Reason.GONE);
        }
    }

    @Test
    void a_process_whose_pid_is_reused_while_attached_is_gone() throws Exception {
        Path proc = Files.createDirectories(directory.resolve("proc/42")).getParent();
        Path stat = proc.resolve("42/stat");
        Files.writeString(stat, "42 (python3) R 1 42 42 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 777 1000 10");
        SyntheticAgent.of(directory, 42, 777);
        LocalTrainingProcesses faked =
                new LocalTrainingProcesses(directory, "test", new LinuxProcesses(proc), new PidNamespaces(proc));
        try (AttachedProcess attached = faked.attach(42)) {
            assertThat(attached.sample().state()).isEqualTo(ProcessState.RUNNING);
            Files.writeString(stat, "42 (firefox) R 1 42 42 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 999 1000 10");
            assertThat(attached.sample().state()).isEqualTo(ProcessState.GONE);
            assertFails(() -> attached.apply(Change.optimisation(true)), Reason.GONE);
        }
    }

    @Test
    void sockets_of_dead_processes_are_removed_and_living_ones_kept() throws Exception {
        Path dead = directory.resolve(DEAD_PID + "-1.sock");
        ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                .bind(UnixDomainSocketAddress.of(dead))
                .close();
        Path elsewhere = directory.resolve((DEAD_PID + 1) + "-1.sock");
        Path own = directory.resolve(OWN_PID + "-" + OWN_START + ".sock");
        Files.createFile(own);
        Path note = Files.createFile(directory.resolve("notes.sock"));
        try (ServerSocketChannel container = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            container.bind(UnixDomainSocketAddress.of(elsewhere));
            processes.living();
            assertThat(dead).doesNotExist();
            assertThat(elsewhere).as("its process lives in a container").exists();
        }
        assertThat(own).exists();
        assertThat(note).exists();
    }

    @Test
    void keeps_the_newest_black_boxes_and_never_touches_the_living() throws Exception {
        for (int i = 0; i < Housekeeping.KEPT_BLACK_BOXES + 5; i++) {
            Path box = SyntheticAgent.of(directory, DEAD_PID + i, 1).path();
            Files.setLastModifiedTime(box, FileTime.fromMillis(1_000_000L + i * 1000));
        }
        Path living = SyntheticAgent.ofThisProcess(directory).path();
        Files.setLastModifiedTime(living, FileTime.fromMillis(0));
        assertThat(processes.blackBoxes()).hasSize(Housekeeping.KEPT_BLACK_BOXES);
        assertThat(directory.resolve(DEAD_PID + 4 + "-1.mem")).doesNotExist();
        assertThat(directory.resolve(DEAD_PID + 5 + "-1.mem")).exists();
        assertThat(living).exists();
        assertThat(processes.living()).hasSize(1);
    }

    @Test
    void an_agent_that_said_goodbye_is_gone_even_if_its_process_lives() throws Exception {
        SyntheticAgent agent = SyntheticAgent.ofThisProcess(directory);
        try (AttachedProcess attached = processes.attach(OWN_PID)) {
            assertThat(attached.sample().state()).isEqualTo(ProcessState.RUNNING);
            agent.exited();
            assertThat(attached.sample().state()).isEqualTo(ProcessState.GONE);
        }
        assertThat(processes.living()).isEmpty();
    }

    @Test
    void a_process_that_became_another_program_is_gone_for_who_read_the_first() throws Exception {
        SyntheticAgent first = SyntheticAgent.ofThisProcess(directory);
        try (AttachedProcess attached = processes.attach(OWN_PID)) {
            Files.delete(first.path());
            assertThat(attached.sample().state()).as("only unlinked").isEqualTo(ProcessState.RUNNING);
            SyntheticAgent.ofThisProcess(directory);
            assertThat(attached.sample().state()).isEqualTo(ProcessState.GONE);
        }
        try (AttachedProcess second = processes.attach(OWN_PID)) {
            assertThat(second.sample().state()).isEqualTo(ProcessState.RUNNING);
        }
    }

    @Test
    void a_living_process_that_stands_still_in_a_write_keeps_its_last_whole_counters() throws Exception {
        SyntheticAgent agent = SyntheticAgent.ofThisProcess(directory);
        try (AttachedProcess attached = processes.attach(OWN_PID)) {
            assertThat(attached.sample().devices().get(0).reservedBytes()).isEqualTo(100);
            agent.beginWrite().device(Device.RESERVED_BYTES, 700);
            Sample still = attached.sample();
            assertThat(still.devices().get(0).reservedBytes()).isEqualTo(100);
            assertThat(still.torn()).isFalse();
            agent.exited();
            Sample last = attached.sample();
            assertThat(last.devices().get(0).reservedBytes()).isEqualTo(700);
            assertThat(last.torn()).isTrue();
        }
    }

    @Test
    void a_cut_file_ends_a_subscription_with_a_fault() throws Exception {
        SyntheticAgent agent = SyntheticAgent.ofThisProcess(directory);
        try (AttachedProcess attached = processes.attach(OWN_PID)) {
            Recorder recorder = new Recorder();
            attached.subscribe(Duration.ofMillis(10), recorder);
            recorder.until(ProcessState.RUNNING);
            agent.cut(0);
            assertThat(recorder.fault().reason()).isEqualTo(Reason.UNREADABLE);
        }
    }

    @Test
    void a_listener_that_fails_hears_so_and_does_not_harm_others() throws Exception {
        SyntheticAgent.ofThisProcess(directory);
        try (AttachedProcess attached = processes.attach(OWN_PID)) {
            Recorder faults = new Recorder();
            attached.subscribe(Duration.ofMillis(10), new SampleListener() {
                @Override
                public void onSample(Sample sample) {
                    throw new IllegalStateException("the view is broken");
                }

                @Override
                public void onFailure(BridgeException fault) {
                    faults.onFailure(fault);
                }
            });
            assertThat(faults.fault()).hasMessageContaining("the view is broken");
            Recorder other = new Recorder();
            attached.subscribe(Duration.ofMillis(10), other);
            other.until(ProcessState.RUNNING);
        }
    }

    @Test
    void no_sample_comes_after_closing_and_reading_says_gone() throws Exception {
        SyntheticAgent.ofThisProcess(directory);
        AttachedProcess attached = processes.attach(OWN_PID);
        Recorder recorder = new Recorder();
        attached.subscribe(Duration.ofMillis(10), recorder);
        recorder.until(ProcessState.RUNNING);
        attached.close();
        assertFails(attached::sample, Reason.GONE);
        assertThat(recorder.faults()).isEmpty();
    }

    @Test
    void an_interval_below_ten_milliseconds_is_refused() throws Exception {
        SyntheticAgent.ofThisProcess(directory);
        try (AttachedProcess attached = processes.attach(OWN_PID)) {
            assertThatThrownBy(() -> attached.subscribe(Duration.ofMillis(9), new Recorder()))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void a_look_at_the_list_keeps_nothing_open() throws Exception {
        SyntheticAgent.ofThisProcess(directory);
        processes.living();
        long before = mappings();
        for (int i = 0; i < 50; i++) {
            processes.living();
        }
        assertThat(mappings()).isEqualTo(before);
    }

    private long mappings() throws Exception {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains(directory.toString())).count();
        }
    }

    private static void assertFails(ThrowingCallable call, Reason reason) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        BridgeException.class, e -> assertThat(e.reason()).isEqualTo(reason));
    }
}
