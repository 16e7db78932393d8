package dev.lacuna.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.fakes.Counters;
import dev.lacuna.ui.fakes.WindowFixture;
import dev.lacuna.ui.processes.ProcessActions;
import dev.lacuna.ui.processes.ProcessesPlace;
import dev.lacuna.ui.processes.ProcessesViewModel;
import dev.lacuna.ui.settings.ThemeChoice;
import dev.lacuna.ui.text.Language;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javafx.scene.Node;
import javafx.scene.control.Labeled;
import javafx.scene.text.Text;
import javafx.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.ApplicationExtension;
import org.testfx.framework.junit5.Start;
import org.testfx.util.WaitForAsyncUtils;

/** Shows each place in both themes, both languages and two sizes; with {@code -Dlacuna.shots=DIR} saves the pictures. */
@Tag("ui")
@ExtendWith(ApplicationExtension.class)
class WindowPicturesTest {
    private static final double[][] SIZES = {{1280, 800}, {1920, 1080}};

    private WindowFixture window;

    @Start
    void open(Stage stage) {
        window = new WindowFixture(stage);
        window.open(
                1280,
                800,
                w -> List.of(new ProcessesPlace(
                        new ProcessesViewModel(
                                w.machine,
                                w.context.session(),
                                w.context.executor(),
                                w.context.notices(),
                                new NoActions(),
                                Clock.systemUTC()),
                        w.context.notices())));
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
        robot.clickOn("#status-settings");
        shootAll("settings");
        WaitForAsyncUtils.asyncFx(() -> window.context.overlay().close()).get();
        robot.clickOn("#status-shortcuts");
        shootAll("shortcuts");
    }

    private void shootAll(String name) throws Exception {
        for (Language language : List.of(Language.ENGLISH, Language.CHINESE)) {
            for (ThemeChoice theme : List.of(ThemeChoice.LIGHT, ThemeChoice.DARK)) {
                for (double[] size : SIZES) {
                    WaitForAsyncUtils.asyncFx(() -> {
                                window.context.settings().languageProperty().set(language);
                                window.context.settings().themeProperty().set(theme);
                                window.stage.setWidth(size[0]);
                                window.stage.setHeight(size[1]);
                            })
                            .get();
                    WaitForAsyncUtils.waitForFxEvents();
                    TimeUnit.MILLISECONDS.sleep(250);
                    String dress = "%s-%s-%s-%dx%d"
                            .formatted(name, language, theme, (int) size[0], (int) size[1])
                            .toLowerCase(java.util.Locale.ROOT);
                    WaitForAsyncUtils.asyncFx(() -> {
                                window.shoot(dress);
                                assertThat(cutOff(window.stage.getScene().getRoot()))
                                        .as(dress)
                                        .isEmpty();
                                return true;
                            })
                            .get();
                }
            }
        }
    }

    /** Labels that had to shorten their words, other than those meant to (long commands). */
    private static List<String> cutOff(Node root) {
        return root.lookupAll(".label, .button, .toggle-button, .menu-button").stream()
                .filter(Node::isVisible)
                .filter(Labeled.class::isInstance)
                .map(Labeled.class::cast)
                .filter(l -> !l.getStyleClass().contains("process-command")
                        && !"status-attached".equals(l.getId())
                        && l.getText() != null
                        && !l.getText().isEmpty())
                .filter(l -> shownText(l).endsWith("…") && !l.getText().endsWith("…")
                        || shownText(l).endsWith("..."))
                .map(l -> l.getText() + " → " + shownText(l))
                .toList();
    }

    private static String shownText(Labeled label) {
        return label.lookupAll(".text").stream()
                .filter(Text.class::isInstance)
                .map(t -> ((Text) t).getText())
                .findFirst()
                .orElse("");
    }

    private static void waitFor(FxRobot robot, java.util.concurrent.Callable<Boolean> condition) throws Exception {
        WaitForAsyncUtils.waitFor(
                30, TimeUnit.SECONDS, () -> WaitForAsyncUtils.asyncFx(condition).get());
        WaitForAsyncUtils.waitForFxEvents();
    }

    private static final class NoActions implements ProcessActions {
        @Override
        public void showAttached() {}

        @Override
        public void diagnose(String source, String message) {}

        @Override
        public void startDemo() {}
    }
}
