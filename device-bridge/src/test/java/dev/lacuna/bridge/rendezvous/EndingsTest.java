package dev.lacuna.bridge.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.Ending;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.process.KernelLog;
import dev.lacuna.bridge.process.LinuxProcesses;
import dev.lacuna.bridge.process.MemoryKills;
import dev.lacuna.bridge.process.PidNamespaces;
import dev.lacuna.bridge.synthetic.SyntheticAgent;
import dev.lacuna.bridge.wire.TelemetryFile;
import dev.lacuna.bridge.wire.TelemetryLayout.Header;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndingsTest {
    private static final PidNamespaces HERE = new PidNamespaces();
    private static final long PID = 4711;
    private static final String QUIET = "<6>[    0.000000] Linux version 6.1\n";

    @TempDir
    private Path directory;

    private SyntheticAgent agent;
    private Path counter;

    @BeforeEach
    void a_process_of_the_machines_first_namespace() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        counter = Files.createDirectories(directory.resolve("groups/job")).resolve("memory.events");
        Files.writeString(counter, "oom 1\noom_kill 5\n");
        agent = SyntheticAgent.elsewhere(directory, HERE.boot(), PidNamespaces.FIRST, PID, 99)
                .put64(Header.START_MONOTONIC_NS, 400_000_000_000L)
                .put64(Header.MOUNT_NAMESPACE, HERE.own("mnt"))
                .put64(Header.MEMORY_KILLS, 5)
                .text(Header.KILLS_FILE, counter.toString());
    }

    private Ending ending(Optional<String> log) throws Exception {
        Endings endings = new Endings(HERE, new KernelLog(() -> log), new MemoryKills(directory.resolve("groups")));
        try (TelemetryFile file = TelemetryFile.open(agent.path(), new LinuxProcesses().ownUid())) {
            return endings.of(file, OptionalLong.empty());
        }
    }

    @Test
    void a_process_that_told_nothing_and_nobody_else_knows_of_is_not_known() throws Exception {
        assertThat(ending(Optional.empty())).isEqualTo(new Ending.Unknown());
        assertThat(ending(Optional.of(QUIET))).isEqualTo(new Ending.Unknown());
    }

    @Test
    void what_a_process_told_itself_is_believed() throws Exception {
        agent.put32(Header.ENDING, 3).text(Header.ENDING_TEXT, "torch.OutOfMemoryError");
        assertThat(ending(Optional.empty())).isEqualTo(new Ending.Failed("torch.OutOfMemoryError"));
        agent.put32(Header.ENDING, 2);
        assertThat(ending(Optional.empty())).isEqualTo(new Ending.Interrupted());
        agent.put32(Header.ENDING, 1);
        assertThat(ending(Optional.empty())).isEqualTo(new Ending.Finished());
        agent.put32(Header.ENDING, 77);
        assertThat(ending(Optional.empty())).as("a word of a later agent").isEqualTo(new Ending.Unknown());
        agent.put32(Header.AGENT_STATE, Header.AGENT_EXITED);
        assertThat(ending(Optional.empty())).isEqualTo(new Ending.Finished());
    }

    @Test
    void a_kill_by_the_kernel_is_named_from_its_log() throws Exception {
        String killed = " out of memory: Killed process 4711 (python3) total-vm:1kB\n";
        assertThat(ending(Optional.of(QUIET + "<3>[  500.0] Memory cgroup" + killed)))
                .isEqualTo(new Ending.KilledForMemory(true));
        assertThat(ending(Optional.of(QUIET + "<3>[  500.0] " + "Out of memory: Killed process 4711 (python3)\n")))
                .isEqualTo(new Ending.KilledForMemory(false));
    }

    @Test
    void a_risen_counter_of_its_control_group_makes_a_kill_likely() throws Exception {
        Files.writeString(counter, "oom 2\noom_kill 7\n");
        assertThat(ending(Optional.empty())).isEqualTo(new Ending.ProbablyKilledForMemory(2));
        assertThat(ending(Optional.of(QUIET)))
                .as("the log reaches back and names others")
                .isEqualTo(new Ending.Unknown());
        agent.put64(Header.MOUNT_NAMESPACE, HERE.own("mnt") + 1);
        assertThat(ending(Optional.empty())).as("a path of elsewhere").isEqualTo(new Ending.Unknown());
    }

    @Test
    void nothing_of_this_boot_explains_the_end_of_another() throws Exception {
        Files.writeString(counter, "oom 2\noom_kill 7\n");
        agent.text(Header.BOOT_ID, "0f0f0f0f-0000-4000-8000-000000000000");
        assertThat(ending(Optional.of("<3>[  500.0] Out of memory: Killed process 4711 (python3)\n")))
                .isEqualTo(new Ending.Unknown());
    }

    @Test
    void a_killed_trainer_is_never_said_to_have_ended_by_itself() throws Exception {
        Path rendezvous = Files.createDirectory(
                directory.resolve("real"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        LocalTrainingProcesses processes = new LocalTrainingProcesses(rendezvous, "test");
        try (Trainer trainer = Trainer.start(rendezvous);
                AttachedProcess attached = processes.attach(trainer.pid())) {
            trainer.kill();
            assertThat(attached.sample().state()).isEqualTo(ProcessState.GONE);
            assertThat(attached.ending().isTold()).isFalse();
            try (AttachedProcess box = processes.open(processes.blackBoxes().get(0))) {
                assertThat(box.ending().isTold()).isFalse();
            }
        }
        try (Trainer trainer = Trainer.start(rendezvous);
                AttachedProcess attached = processes.attach(trainer.pid())) {
            trainer.finish();
            assertThat(attached.ending()).isEqualTo(new Ending.Finished());
        }
    }
}
