package dev.lacuna.bridge.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.ProcessId;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.process.LinuxProcesses;
import dev.lacuna.bridge.process.PidNamespaces;
import dev.lacuna.bridge.synthetic.SyntheticAgent;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One rendezvous directory for processes of several pid namespaces and boots. */
class NamespacesTest {
    private static final PidNamespaces HERE = new PidNamespaces();
    private static final String OTHER_BOOT = "0f0f0f0f-0000-4000-8000-000000000000";
    private static final long OWN_PID = ProcessHandle.current().pid();
    private static final long OWN_START =
            new LinuxProcesses().startTicks(OWN_PID).orElseThrow();

    /** Inodes of no living namespace: the kernel counts upwards from its own few. */
    private static final long BESIDE = 4294967290L;

    @TempDir
    private Path directory;

    private LocalTrainingProcesses processes;

    @BeforeEach
    void a_rendezvous_of_our_own() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        processes = new LocalTrainingProcesses(directory, "test");
    }

    private static Path socketOf(SyntheticAgent agent) {
        return Path.of(agent.path().toString().replace(".mem", ".sock"));
    }

    private static ServerSocketChannel listen(SyntheticAgent agent) throws Exception {
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listener.bind(UnixDomainSocketAddress.of(socketOf(agent)));
        return listener;
    }

    private static ProcessId beside(long pid) {
        return ProcessId.parse(BESIDE + ":" + pid).orElseThrow();
    }

    @Test
    void a_process_of_this_namespace_is_called_by_its_pid() throws Exception {
        SyntheticAgent.elsewhere(directory, HERE.boot(), HERE.own("pid"), OWN_PID, OWN_START);
        assertThat(processes.living())
                .singleElement()
                .satisfies(process -> assertThat(process.id()).isEqualTo(ProcessId.here(OWN_PID)));
        processes.attach(OWN_PID).close();
    }

    @Test
    void a_process_beside_this_namespace_is_never_taken_for_one_here() throws Exception {
        SyntheticAgent agent = SyntheticAgent.elsewhere(directory, HERE.boot(), BESIDE, OWN_PID, OWN_START);
        try (ServerSocketChannel listener = listen(agent)) {
            assertThat(listener.isOpen()).isTrue();
            assertThat(processes.living()).singleElement().satisfies(process -> {
                assertThat(process.id()).isEqualTo(beside(OWN_PID));
                assertThat(process.state()).isEqualTo(ProcessState.RUNNING);
                assertThat(process.control()).isTrue();
            });
            assertThatThrownBy(() -> processes.attach(OWN_PID))
                    .isInstanceOfSatisfying(
                            BridgeException.class, e -> assertThat(e.reason()).isEqualTo(Reason.GONE))
                    .hasMessageContaining(BESIDE + ":" + OWN_PID);
            try (AttachedProcess attached = processes.attach(beside(OWN_PID))) {
                assertThat(attached.sample().state()).isEqualTo(ProcessState.RUNNING);
                assertThat(attached.process().id()).isEqualTo(beside(OWN_PID));
            }
        }
        assertThat(processes.living()).isEmpty();
        assertThat(processes.blackBoxes()).hasSize(1);
        assertThat(socketOf(agent)).as("swept when nobody answers").doesNotExist();
    }

    @Test
    void two_containers_with_the_same_pid_and_start_are_two_processes() throws Exception {
        SyntheticAgent one = SyntheticAgent.elsewhere(directory, HERE.boot(), BESIDE, 1, 92048);
        SyntheticAgent two = SyntheticAgent.elsewhere(directory, HERE.boot(), BESIDE - 1, 1, 92048);
        try (ServerSocketChannel first = listen(one);
                ServerSocketChannel second = listen(two)) {
            assertThat(first.isOpen() && second.isOpen()).isTrue();
            assertThat(processes.living())
                    .extracting(TrainingProcess::nameForGood)
                    .containsExactlyInAnyOrder(BESIDE + ":1-92048", BESIDE - 1 + ":1-92048");
        }
    }

    @Test
    void several_files_of_one_living_process_are_refused() throws Exception {
        SyntheticAgent.elsewhere(directory, HERE.boot(), HERE.own("pid"), OWN_PID, OWN_START);
        SyntheticAgent.ofThisProcess(directory);
        assertThatThrownBy(() -> processes.attach(OWN_PID))
                .isInstanceOfSatisfying(
                        BridgeException.class, e -> assertThat(e.reason()).isEqualTo(Reason.AMBIGUOUS))
                .hasMessageContaining("nothing was done");
    }

    @Test
    void files_of_another_boot_are_dead_whoever_has_the_pid_now() throws Exception {
        SyntheticAgent agent = SyntheticAgent.elsewhere(directory, OTHER_BOOT, HERE.own("pid"), OWN_PID, OWN_START);
        try (ServerSocketChannel listener = listen(agent)) {
            assertThat(listener.isOpen()).isTrue();
            assertThat(processes.living()).isEmpty();
            assertThat(processes.blackBoxes()).hasSize(1);
            assertThat(socketOf(agent)).doesNotExist();
            assertThatThrownBy(() -> processes.attach(OWN_PID)).isInstanceOf(BridgeException.class);
        }
    }

    @Test
    void a_name_that_contradicts_its_file_is_left_out() throws Exception {
        SyntheticAgent agent = SyntheticAgent.elsewhere(directory, HERE.boot(), HERE.own("pid"), OWN_PID, OWN_START);
        agent.put64(dev.lacuna.bridge.wire.TelemetryLayout.Header.PID_NAMESPACE, BESIDE);
        assertThat(processes.living()).isEmpty();
    }

    @Test
    void names_of_processes_read_as_they_are_written() {
        for (String text : List.of("1", "4711", "4026532281:1")) {
            assertThat(ProcessId.parse(text).orElseThrow()).hasToString(text);
        }
        for (String text : List.of("", "0", "-1", "x", "1:", ":1", "1:2:3", "0:1", "1:0", "99999999999999999999")) {
            assertThat(ProcessId.parse(text)).as(text).isEmpty();
        }
    }
}
