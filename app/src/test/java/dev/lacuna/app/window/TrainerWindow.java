package dev.lacuna.app.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.app.demo.TrainingScripts;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.hosted.AgentPackage;
import dev.lacuna.bridge.launch.LaunchSettings;
import dev.lacuna.bridge.launch.LaunchedTraining;
import dev.lacuna.bridge.launch.TrainingLauncher;
import dev.lacuna.bridge.rendezvous.LocalTrainingProcesses;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.ui.settings.SettingsStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javafx.embed.swing.SwingFXUtils;
import javafx.scene.image.WritableImage;
import javafx.stage.Stage;
import javax.imageio.ImageIO;
import org.testfx.util.WaitForAsyncUtils;

/** The real window over a real training GPT, and a second reader of its agent to compare the window with. */
final class TrainerWindow implements AutoCloseable {
    private static final long PATIENCE_S = 120;

    private final Stage stage;
    private final LocalTrainingProcesses processes;
    private final LaunchedTraining training;
    private final TrainingProcess process;
    private final Wiring wiring;
    private final Launch launch;
    private Optional<LaunchedTraining> second = Optional.empty();

    /** Starts the same training once more. */
    @FunctionalInterface
    private interface Launch {
        LaunchedTraining again() throws Exception;
    }

    private TrainerWindow(
            Stage stage,
            LocalTrainingProcesses processes,
            LaunchedTraining training,
            Launch launch,
            SettingsStore settings)
            throws Exception {
        this.stage = stage;
        this.processes = processes;
        this.training = training;
        this.launch = launch;
        process = awaitAgent();
        wiring = new Wiring(stage, processes, settings);
    }

    /**
     * Trains on a virtual device of this capacity, optimisation off, with a script that is called with these arguments, and
     * opens the window once its agent is there.
     */
    static TrainerWindow open(
            Stage stage, Path python, Path folder, long capacityBytes, SettingsStore settings, List<String> arguments)
            throws Exception {
        Path rendezvous = Files.createDirectory(
                folder.resolve("rendezvous"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path script = TrainingScripts.unpack("train_gpt.py", folder);
        Launch launch = () -> new TrainingLauncher(AgentPackage.unpack())
                .script(
                        python,
                        script,
                        arguments,
                        LaunchSettings.USUAL
                                .withCapacity(capacityBytes)
                                .withOptimisation(false)
                                .withRendezvous(rendezvous));
        LaunchedTraining training = launch.again();
        try {
            LocalTrainingProcesses processes = new LocalTrainingProcesses(rendezvous, "test");
            TrainerWindow window = new TrainerWindow(stage, processes, training, launch, settings);
            window.wiring.open(WindowOpening.on(java.util.List.of()));
            return window;
        } catch (Exception | AssertionError e) {
            training.close();
            throw e;
        }
    }

    private TrainingProcess awaitAgent() throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (processes.living().isEmpty()) {
            assertThat(training.running())
                    .as(String.join("\n", training.output()))
                    .isTrue();
            assertThat(System.nanoTime()).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(50);
        }
        return processes.living().get(0);
    }

    /** Starts another such training beside it, and waits for its agent. */
    TrainingProcess trainAnother() throws Exception {
        LaunchedTraining other = launch.again();
        second = Optional.of(other);
        waitFor(() -> processes.living().stream().anyMatch(found -> found.pid() == other.pid()));
        return processes.living().stream()
                .filter(found -> found.pid() == other.pid())
                .findFirst()
                .orElseThrow();
    }

    /** The trainer, as it was when its agent appeared. */
    TrainingProcess process() {
        return process;
    }

    /** The window's own parts. */
    Wiring wiring() {
        return wiring;
    }

    /** A reader of its own, living or dead; the window knows nothing of it. */
    AttachedProcess reader() throws Exception {
        return processes.open(process);
    }

    /** What the agent tells now. */
    MemoryCounters agent() throws Exception {
        return agent(training.pid());
    }

    /** What this process's agent tells now. */
    MemoryCounters agent(long pid) throws Exception {
        try (AttachedProcess reader = processes.attach(pid)) {
            return reader.sample().devices().get(0);
        }
    }

    /** Waits for this; it is asked on the test's thread. */
    void waitFor(Callable<Boolean> condition) throws Exception {
        try {
            WaitForAsyncUtils.waitFor(PATIENCE_S, TimeUnit.SECONDS, condition);
        } catch (TimeoutException e) {
            picture("failed");
            throw e;
        }
        WaitForAsyncUtils.waitForFxEvents();
    }

    /** Saved under target/screenshots; the README shows copies. */
    void picture(String name) throws Exception {
        WaitForAsyncUtils.waitForFxEvents();
        WritableImage image =
                WaitForAsyncUtils.asyncFx(() -> stage.getScene().snapshot(null)).get(30, TimeUnit.SECONDS);
        Path file = Files.createDirectories(Path.of("target", "screenshots")).resolve(name + ".png");
        ImageIO.write(SwingFXUtils.fromFXImage(image, null), "png", file.toFile());
    }

    @Override
    public void close() {
        WaitForAsyncUtils.asyncFx(wiring::close);
        WaitForAsyncUtils.waitForFxEvents();
        second.ifPresent(LaunchedTraining::close);
        training.close();
    }
}
