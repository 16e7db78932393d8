package dev.lacuna.bridge.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.Reply;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.hosted.AgentPackage;
import dev.lacuna.bridge.rendezvous.LocalTrainingProcesses;
import dev.lacuna.core.base.counters.MemoryCounters;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingLauncherTest {
    private static final long PATIENCE_S = 120;

    @TempDir
    private Path folder;

    private TrainingLauncher launcher;
    private LaunchSettings settings;

    @BeforeEach
    void a_rendezvous_of_our_own() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        launcher = new TrainingLauncher(AgentPackage.unpack());
        settings = LaunchSettings.USUAL.withRendezvous(folder);
    }

    @Test
    void an_unmodified_script_trains_with_the_agent_and_can_be_commanded() throws Exception {
        Optional<Path> python = TorchPython.find();
        assumeTrue(python.isPresent(), "there is no Python with PyTorch on this machine");
        Path script = folder.resolve("train.py");
        try (var in = getClass().getResourceAsStream("/train.py")) {
            Files.write(script, in.readAllBytes());
        }
        LocalTrainingProcesses processes = new LocalTrainingProcesses(folder, "test");
        try (LaunchedTraining training = launcher.script(
                python.get(),
                script,
                List.of("--epochs", "3"),
                settings.withCapacity(512 << 20).withFraction(0.5))) {
            TrainingProcess found = await(processes, training);
            try (AttachedProcess attached = processes.attach(found.pid())) {
                MemoryCounters counters = attached.sample().devices().get(0);
                assertThat(counters.totalBytes()).isEqualTo(512 << 20);
                assertThat(counters.fraction()).isEqualTo(0.5);
                assertThat(attached.apply(Change.optimisation(false))).isInstanceOf(Reply.Applied.class);
            }
            assertThat(training.output()).contains("arguments --epochs 3");
            training.close();
            assertThat(training.onExit().get(PATIENCE_S, TimeUnit.SECONDS)).isNotZero();
        }
        assertThat(processes.living()).isEmpty();
    }

    @Test
    void any_command_gets_the_agent_in_its_environment() throws Exception {
        try (LaunchedTraining training = launcher.command(
                List.of("/bin/sh", "-c", "env; echo to stderr >&2; exit 7"),
                settings.withOptimisation(true).withCapacity(1 << 30))) {
            assertThat(training.onExit().get(PATIENCE_S, TimeUnit.SECONDS)).isEqualTo(7);
            assertThat(training.running()).isFalse();
            assertThat(training.output())
                    .contains(
                            "LACUNA_CAPACITY=1073741824", "LACUNA_OPTIMISATION=on", "LACUNA_DIR=" + folder, "to stderr")
                    .anyMatch(line -> line.startsWith("LD_PRELOAD=") && line.contains("liblacuna_torch.so"));
        }
    }

    @Test
    void output_without_end_neither_fills_the_memory_nor_stops_the_process() throws Exception {
        try (LaunchedTraining training = launcher.command(
                List.of("/bin/sh", "-c", "head -c 3000000 /dev/zero | tr '\\0' x; seq 1 5000"), settings)) {
            assertThat(training.onExit().get(PATIENCE_S, TimeUnit.SECONDS)).isZero();
            assertThat(training.output()).hasSize(1000).endsWith("4999", "5000");
        }
    }

    @Test
    void closing_ends_a_process_that_does_not_want_to_and_its_children() throws Exception {
        LaunchedTraining training =
                launcher.command(List.of("/bin/sh", "-c", "trap '' TERM; sleep 600 & echo $!; wait; wait"), settings);
        while (training.output().isEmpty()) {
            Thread.sleep(10);
        }
        ProcessHandle child =
                ProcessHandle.of(Long.parseLong(training.output().get(0))).orElseThrow();
        training.close();
        assertThat(training.onExit().get(PATIENCE_S, TimeUnit.SECONDS)).isNotZero();
        child.onExit().get(PATIENCE_S, TimeUnit.SECONDS);
    }

    @Test
    void says_what_could_not_be_started() {
        assertThatThrownBy(() -> launcher.command(List.of("/nowhere/python3"), settings))
                .isInstanceOf(BridgeException.class)
                .hasMessageContaining("/nowhere/python3");
    }

    private static TrainingProcess await(LocalTrainingProcesses processes, LaunchedTraining training) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (System.nanoTime() < deadline && training.running()) {
            Optional<TrainingProcess> found = processes.living().stream()
                    .filter(process -> process.pid() == training.pid() && process.control())
                    .findFirst();
            if (found.isPresent() && training.output().size() > 0) {
                return found.get();
            }
            Thread.sleep(50);
        }
        throw new AssertionError("the training process did not appear; it said: " + training.output());
    }
}
