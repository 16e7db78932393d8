package dev.lacuna.app.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lacuna.app.demo.TrainingScripts;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.hosted.AgentPackage;
import dev.lacuna.bridge.launch.LaunchSettings;
import dev.lacuna.bridge.launch.LaunchedTraining;
import dev.lacuna.bridge.launch.TorchPython;
import dev.lacuna.bridge.launch.TrainingLauncher;
import dev.lacuna.bridge.rendezvous.LocalTrainingProcesses;
import dev.lacuna.core.memory.MemoryCounters;
import dev.lacuna.ui.settings.StoredSettings;
import dev.lacuna.ui.settings.ThemeChoice;
import dev.lacuna.ui.settings.WindowBounds;
import dev.lacuna.ui.text.Language;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javafx.embed.swing.SwingFXUtils;
import javafx.scene.control.ListView;
import javafx.scene.image.WritableImage;
import javafx.scene.input.Clipboard;
import javafx.scene.input.DataFormat;
import javafx.scene.input.KeyCode;
import javafx.stage.Stage;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.ApplicationExtension;
import org.testfx.framework.junit5.Start;
import org.testfx.util.WaitForAsyncUtils;

/**
 * The main job, as an operator does it: the real window over a real training process. What the window shows is compared
 * with what another reader of the agent sees.
 */
@Tag("ui")
@ExtendWith(ApplicationExtension.class)
class MainJobTest {
    private static final String SEED =
            "Tried to allocated 3384.00 MiB (NPU 2; 61.22 GiB total capacity; 53.87 GiB already"
                    + " allocated; 53.87 GiB current activate; 1.59 GiB free; 56.60 GiB reserved in total by PyTorch)";

    @TempDir
    Path folder;

    private final KeptSettings settings = new KeptSettings(new StoredSettings(
            ThemeChoice.DARK,
            Language.ENGLISH,
            StoredSettings.DEFAULT_GAP_THRESHOLD_BYTES,
            Optional.of(new WindowBounds(0, 0, 1440, 900, false)),
            "processes",
            List.of()));
    private LocalTrainingProcesses processes;
    private Optional<LaunchedTraining> training = Optional.empty();
    private Optional<Wiring> wiring = Optional.empty();
    private Stage stage;

    @Start
    void open(Stage primary) throws Exception {
        stage = primary;
        Optional<Path> python = TorchPython.find();
        if (python.isEmpty()) {
            return;
        }
        Path rendezvous = Files.createDirectory(
                folder.resolve("rendezvous"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        processes = new LocalTrainingProcesses(rendezvous, "test");
        training = Optional.of(new TrainingLauncher(AgentPackage.unpack())
                .script(
                        python.get(),
                        TrainingScripts.unpack("train_gpt.py", folder),
                        List.of("--tokens", "4096"),
                        LaunchSettings.USUAL
                                .withCapacity(4L << 30)
                                .withOptimisation(false)
                                .withRendezvous(rendezvous)));
        awaitAgent();
        Wiring wired = new Wiring(primary, processes, settings);
        wiring = Optional.of(wired);
        wired.open(Optional.empty());
    }

    @AfterEach
    void close() {
        wiring.ifPresent(w -> WaitForAsyncUtils.asyncFx(w::close));
        WaitForAsyncUtils.waitForFxEvents();
        training.ifPresent(LaunchedTraining::close);
    }

    @Test
    void attaches_switches_limits_and_diagnoses(FxRobot robot) throws Exception {
        assumeTrue(training.isPresent(), "no Python with PyTorch on this machine");
        waitFor(() -> robot.lookup("#processes-living")
                        .queryAs(ListView.class)
                        .getItems()
                        .size()
                == 1);
        picture("processes");
        robot.clickOn("Attach");
        waitFor(() -> robot.lookup("#live-optimisation").tryQuery().isPresent());
        waitFor(() -> agent().step() >= 3);
        picture("live-off");

        robot.clickOn("#live-optimisation");
        robot.clickOn("#consent-yes");
        waitFor(() -> agent().optimisation());
        long switchedAt = agent().step();

        waitFor(() -> !robot.lookup("#live-fraction").query().isDisabled());
        robot.doubleClickOn("#live-fraction").write("0.94").type(KeyCode.ENTER);
        waitFor(() -> agent().fraction() == 0.94);
        assertThat(agent().limitBytes()).isEqualTo((long) Math.floor(0.94 * (4L << 30)));
        waitFor(() -> agent().step() >= switchedAt + 3);
        assertThat(agent().reservedBytes()).isLessThanOrEqualTo(agent().limitBytes());
        picture("live-on");

        robot.clickOn("#rail-live");
        robot.push(KeyCode.CONTROL, KeyCode.Z);
        waitFor(() -> agent().fraction() == 1.0);

        robot.clickOn("#rail-diagnose");
        robot.interact(() -> Clipboard.getSystemClipboard().setContent(java.util.Map.of(DataFormat.PLAIN_TEXT, SEED)));
        robot.push(KeyCode.CONTROL, KeyCode.V);
        waitFor(() -> robot.lookup("#verdict-cause").tryQuery().isPresent());
        assertThat(robot.lookup("#verdict-cause").queryLabeled().getText()).isEqualToIgnoringCase("fragmentation");
        assertThat(robot.lookup("#verdict-headline").queryLabeled().getText()).contains("2.73 GiB");
        picture("diagnose");
    }

    private MemoryCounters agent() throws Exception {
        try (AttachedProcess reader = processes.attach(training.orElseThrow().pid())) {
            return reader.sample().devices().get(0);
        }
    }

    private void awaitAgent() throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (processes.living().isEmpty()) {
            assertThat(training.orElseThrow().running())
                    .as(String.join("\n", training.orElseThrow().output()))
                    .isTrue();
            assertThat(System.nanoTime()).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private void waitFor(Callable<Boolean> condition) throws Exception {
        try {
            WaitForAsyncUtils.waitFor(120, TimeUnit.SECONDS, condition);
        } catch (TimeoutException e) {
            picture("failed");
            throw e;
        }
        WaitForAsyncUtils.waitForFxEvents();
    }

    /** Saved under target/screenshots; the README shows copies. */
    private void picture(String name) throws Exception {
        WaitForAsyncUtils.waitForFxEvents();
        WritableImage image =
                WaitForAsyncUtils.asyncFx(() -> stage.getScene().snapshot(null)).get(30, TimeUnit.SECONDS);
        Path file = Files.createDirectories(Path.of("target", "screenshots")).resolve(name + ".png");
        ImageIO.write(SwingFXUtils.fromFXImage(image, null), "png", file.toFile());
    }
}
