package dev.lacuna.ui.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.ui.fakes.Counters;
import dev.lacuna.ui.fakes.CutOffText;
import dev.lacuna.ui.fakes.Dress;
import dev.lacuna.ui.fakes.FakeLogFiles;
import dev.lacuna.ui.fakes.WindowExtension;
import dev.lacuna.ui.fakes.WindowFixture;
import dev.lacuna.ui.places.diagnose.DiagnosePlace;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javafx.scene.Node;
import javafx.scene.control.ScrollPane;
import javafx.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.Start;
import org.testfx.util.WaitForAsyncUtils;

/** Shows each place in both themes, both languages and two sizes ({@link Dress}); with {@code -Dlacuna.shots=DIR} saves the pictures. */
@Tag("ui")
@ExtendWith(WindowExtension.class)
class WindowPicturesTest {
    private static final String EXAMPLE = Texts.of("diagnose").get("example");
    private static final String CAPACITY =
            "[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 4.00 GiB. GPU 3 has a total capacity of"
                    + " 79.15 GiB of which 1.20 GiB is free. Process 12345 has 77.95 GiB memory in use. Of the allocated"
                    + " memory 75.00 GiB is allocated by PyTorch, and 1.10 GiB is reserved by PyTorch but unallocated. If"
                    + " reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"
                    + " to avoid fragmentation.";

    private WindowFixture window;
    private DiagnosePlace diagnose;

    @Start
    void open(Stage stage) {
        window = new WindowFixture(stage);
        window.open(1280, 800, w -> {
            diagnose = w.diagnose(new FakeLogFiles());
            return List.of(w.processes(), diagnose);
        });
    }

    @AfterEach
    void close() {
        window.close();
    }

    @Test
    void cuts_off_no_text_of_the_processes_in_any_dress(FxRobot robot) throws Exception {
        shootAll("processes-empty");
        window.machine.start(
                48213, "python3 -m lacuna train_gpt.py --layers 24 --hidden 1024 --sequence-lengths 128:2048");
        window.machine.start(50001, "torchrun pretrain.py");
        window.machine
                .of(50001)
                .counters(Counters.ofADevice()
                        .reserved(7L << 30)
                        .allocated(6L << 30)
                        .build());
        window.machine.leaveBlackBox(
                47002, "python3 train_gpt.py", "RuntimeError: NPU out of memory. Tried to allocate 3384.00 MiB");
        window.machine.leaveBlackBox(46110, "python3 finetune.py --epochs 3", "");
        waitFor(robot, () -> robot.lookup("torchrun pretrain.py").tryQuery().isPresent());
        WaitForAsyncUtils.asyncFx(() -> window.context.notices().inform("Copied: ./lacuna demo"));
        WaitForAsyncUtils.asyncFx(() -> window.context
                .notices()
                .fail("Process 48213 cannot be attached", "Its telemetry file belongs to another user (uid 0)."));
        shootAll("processes");
        // Pressed by hand: the window may be wider than the screen by now, and a click would miss.
        fx(() -> robot.lookup("#status-settings").queryButton().fire());
        assertThat(window.context.overlay().isShowing()).isTrue();
        shootAll("settings");
        WaitForAsyncUtils.asyncFx(() -> window.context.overlay().close()).get();
        fx(() -> robot.lookup("#status-shortcuts").queryButton().fire());
        assertThat(window.context.overlay().isShowing()).isTrue();
        shootAll("shortcuts");
    }

    @Test
    void cuts_off_no_text_of_a_verdict_in_any_dress(FxRobot robot) throws Exception {
        fx(() -> window.context.settings().remember("/data/runs/2026-11-20/rank3-of-8-pretrain-llama-13b.log"));
        fx(() -> window.context.settings().remember("/data/训练日志/第二次.log.gz"));
        fx(() -> window.context.navigator().show(DiagnosePlace.ID));
        shootAll("diagnose-empty");
        robot.clickOn("#diagnose-example");
        waitFor(robot, () -> isShown(robot, "#verdict-headline"));
        shootAll("diagnose-verdict");
        TrainingProcess process = window.machine.start(48213, "python3 train_gpt.py");
        fx(() -> window.context.session().attach(process));
        fx(() -> robot.lookup("#verdict").queryAs(ScrollPane.class).setVvalue(1));
        shootAll("diagnose-remedies");
        fx(() -> diagnose.diagnose("train.log", EXAMPLE + "\n[step 12] loss 3.1\n".repeat(40) + CAPACITY + "\n"));
        waitFor(robot, () -> isShown(robot, "#reports"));
        shootAll("diagnose-several");
        fx(() -> diagnose.diagnose("clean.log", "step 1 loss 3.2"));
        waitFor(robot, () -> isShown(robot, "#nothing-found"));
        shootAll("diagnose-nothing");
    }

    private void shootAll(String name) throws Exception {
        window.inEachDress(
                name,
                dress -> assertThat(CutOffText.below(
                                window.stage.getScene().getRoot(), "process-command", "status-attached"))
                        .as(dress.name(name))
                        .isEmpty());
    }

    private static boolean isShown(FxRobot robot, String id) {
        return robot.lookup(id).tryQuery().filter(node -> isShown(node)).isPresent();
    }

    private static boolean isShown(Node node) {
        return node == null || node.isVisible() && isShown(node.getParent());
    }

    private static void fx(Runnable action) throws Exception {
        WaitForAsyncUtils.asyncFx(action).get();
        WaitForAsyncUtils.waitForFxEvents();
    }

    private static void waitFor(FxRobot robot, java.util.concurrent.Callable<Boolean> condition) throws Exception {
        WaitForAsyncUtils.waitFor(
                30, TimeUnit.SECONDS, () -> WaitForAsyncUtils.asyncFx(condition).get());
        WaitForAsyncUtils.waitForFxEvents();
    }
}
