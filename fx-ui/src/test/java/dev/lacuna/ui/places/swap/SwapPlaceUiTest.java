package dev.lacuna.ui.places.swap;

import static dev.lacuna.ui.fakes.FxWait.allowControl;
import static dev.lacuna.ui.fakes.FxWait.clickSettled;
import static dev.lacuna.ui.fakes.FxWait.fx;
import static dev.lacuna.ui.fakes.FxWait.waitFor;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.CopyPlace;
import dev.lacuna.bridge.GuardFigures;
import dev.lacuna.bridge.LayerOrders;
import dev.lacuna.core.base.counters.SafeBasis;
import dev.lacuna.core.base.counters.SwapMode;
import dev.lacuna.core.planning.swap.adaptive.AdaptiveMethods;
import dev.lacuna.ui.fakes.CutOffText;
import dev.lacuna.ui.fakes.ThreadWatch;
import dev.lacuna.ui.fakes.WindowExtension;
import dev.lacuna.ui.fakes.WindowFixture;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import javafx.scene.control.Labeled;
import javafx.scene.control.TextField;
import javafx.scene.input.Clipboard;
import javafx.scene.input.KeyCode;
import javafx.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.Start;
import org.testfx.util.WaitForAsyncUtils;

/** The Swap place over a stand-in that swaps; with {@code -Dlacuna.shots=DIR} it saves pictures. */
@Tag("ui")
@ExtendWith(WindowExtension.class)
class SwapPlaceUiTest {
    private final ThreadWatch watch = new ThreadWatch();
    private final AtomicInteger processesAsked = new AtomicInteger();
    private WindowFixture fixture;
    private SwappingProcess training;

    @Start
    void open(Stage stage) {
        fixture = new WindowFixture(stage);
        training = new SwappingProcess(fixture.machine, "/usr/bin/python3 -m lacuna train_gpt.py --layers 24");
        fixture.open(1280, 800, window -> {
            SwapViewModel model = new SwapViewModel(
                    window.context.session(),
                    window.context.executor(),
                    AdaptiveMethods.all(),
                    64L << 30,
                    Clock.systemUTC());
            return List.of(new SwapPlace(
                    model, window.context.executor(), window.context.overlay(), processesAsked::incrementAndGet));
        });
        watch.watch(stage.getScene().getRoot());
    }

    @AfterEach
    void nobody_touched_a_node_off_the_fx_thread() {
        fixture.close();
        assertThat(watch.trespasses()).isEmpty();
    }

    private void attach() throws Exception {
        WaitForAsyncUtils.asyncFx(() -> fixture.context.session().attach(training.process()))
                .get();
        waitFor(() -> fixture.context.session().attachedProperty().get().isPresent());
        training.rest();
        waitFor(() -> fixture.context.session().latestProperty().get().isPresent());
    }

    @Test
    void leads_to_the_processes_while_nothing_is_attached(FxRobot robot) {
        robot.clickOn("#swap-open-processes");
        assertThat(processesAsked).hasValue(1);
    }

    @Test
    void gives_the_command_that_starts_a_process_so_that_it_can_swap(FxRobot robot) throws Exception {
        training.withoutPython();
        attach();
        waitFor(() -> robot.lookup("#swap-absence").queryLabeled().getText().startsWith("Nothing in this process"));
        robot.clickOn("#swap-copy-command");
        assertThat(WaitForAsyncUtils.asyncFx(
                                () -> Clipboard.getSystemClipboard().getString())
                        .get())
                .isEqualTo("lacuna run --swap on -- /usr/bin/python3 train_gpt.py --layers 24");
    }

    @Test
    void asks_once_then_switches_sets_the_budget_and_takes_both_back(FxRobot robot) throws Exception {
        attach();
        clickSettled(robot, "#swap-mode-on");
        allowControl(robot);
        waitFor(() -> words(robot, "#swap-status").endsWith("swapping on holds."));
        training.rest();
        robot.doubleClickOn("#swap-budget")
                .press(KeyCode.CONTROL)
                .type(KeyCode.A)
                .release(KeyCode.CONTROL);
        robot.write("much").type(KeyCode.ENTER);
        waitFor(() -> words(robot, "#swap-budget-preview").startsWith("A budget is a size"));
        robot.press(KeyCode.CONTROL).type(KeyCode.A).release(KeyCode.CONTROL);
        robot.write("12GiB").type(KeyCode.ENTER);
        waitFor(() -> words(robot, "#swap-status").endsWith("host budget 12.00 GiB holds."));
        training.rest();
        waitFor(() ->
                robot.lookup("#swap-budget").queryAs(TextField.class).getText().equals("12.00 GiB"));
        robot.press(KeyCode.CONTROL).type(KeyCode.Z).release(KeyCode.CONTROL);
        waitFor(() -> training.control().budgetBytes() == 8L << 30);
        training.rest();
        robot.clickOn("#swap-undo");
        waitFor(() -> training.control().mode() == SwapMode.OFF);
    }

    @Test
    void forces_what_the_guard_refused_by_the_name_of_the_process(FxRobot robot) throws Exception {
        attach();
        training.control()
                .guard(new GuardFigures(
                        OptionalDouble.of(0.721),
                        OptionalLong.of(5760L << 20),
                        Optional.of(SafeBasis.REPLAYED),
                        OptionalLong.of(3)));
        clickSettled(robot, "#swap-mode-all");
        allowControl(robot);
        waitFor(() -> robot.lookup("#swap-refusal").query().isVisible());
        assertThat(words(robot, "#swap-refusal-title"))
                .isEqualTo("Refused: swap all would very likely end the training");
        assertThat(words(robot, "#swap-safe")).isEqualTo("First set 0.73: a cap of 5.84 GiB");
        fx(() -> {
            fixture.shoot("swap-refused");
            return true;
        });
        clickSettled(robot, "#swap-force");
        waitFor(() -> robot.lookup("#force-name").tryQuery().isPresent());
        robot.write("train_gpt.py").type(KeyCode.ENTER);
        waitFor(() -> training.control().mode() == SwapMode.ALL);
        waitFor(() -> words(robot, "#swap-status").startsWith("Forced: may end the training."));
    }

    @Test
    void shows_hundreds_of_layers_by_scrolling_not_by_nodes(FxRobot robot) throws Exception {
        training.control().layerCount(400);
        attach();
        clickSettled(robot, "#swap-mode-all");
        allowControl(robot);
        waitFor(() -> words(robot, "#swap-total").startsWith("400 layers"));
        LayerChart chart = robot.lookup("#swap-layers").queryAs(LayerChart.class);
        assertThat(chart.lookupAll("*")).hasSizeLessThan(60);
        robot.clickOn("#swap-layers").type(KeyCode.END);
        waitFor(() -> chart.firstInSight() > 350);
    }

    @Test
    void finds_a_mix_applies_it_and_takes_it_back(FxRobot robot) throws Exception {
        attach();
        clickSettled(robot, "#swap-find");
        waitFor(() -> words(robot, "#swap-proposal").startsWith("Proposed"));
        clickSettled(robot, "#swap-apply");
        allowControl(robot);
        waitFor(() -> training.control().orders().policy().isPresent());
        assertThat(training.control().mode()).isEqualTo(SwapMode.ON);
        training.rest();
        waitFor(() -> words(robot, "#swap-policy").startsWith("policy"));
        robot.clickOn("#swap-undo");
        waitFor(() -> training.control().orders().policy().isEmpty()
                && training.control().mode() == SwapMode.OFF);
    }

    @Test
    void has_a_rule_decide_and_takes_it_back(FxRobot robot) throws Exception {
        attach();
        waitFor(() -> robot.lookup("#swap-rule").query().isVisible());
        clickSettled(robot, "#swap-rule");
        clickSettled(robot, "#swap-rule-dtr");
        allowControl(robot);
        waitFor(() -> training.control().orders().equals(new LayerOrders.ByRule("dtr")));
        assertThat(training.control().mode()).isEqualTo(SwapMode.ON);
        training.rest();
        waitFor(() -> words(robot, "#swap-policy").equals("each saved tensor by DTR"));
        waitFor(() -> words(robot, "#swap-proposal").startsWith("In force: DTR decides"));
        robot.clickOn("#swap-undo");
        waitFor(() -> training.control().orders().equals(new LayerOrders.None())
                && training.control().mode() == SwapMode.OFF);
    }

    @Test
    void cuts_off_no_text_in_any_dress(FxRobot robot) throws Exception {
        shootAll("swap-none");
        training.control().layerCount(32).copies(new CopyPlace.Bound(1));
        attach();
        clickSettled(robot, "#swap-mode-on");
        allowControl(robot);
        for (int i = 0; i < 40; i++) {
            training.step(120 + i % 7 * 10, 30 + i % 5, i % 9 == 0 ? 4 : 0);
        }
        training.trouble(3, 1, 2);
        training.step(100, 31, 6);
        robot.clickOn("#swap-find");
        waitFor(() -> words(robot, "#swap-proposal").startsWith("Proposed"));
        waitFor(() -> words(robot, "#swap-sentence").startsWith("Of "));
        shootAll("swap-stand-in");
    }

    private void shootAll(String name) throws Exception {
        fixture.inEachDress(
                name,
                dress -> assertThat(CutOffText.below(
                                fixture.stage.getScene().getRoot().lookup(".swap"), "facts", "place-title"))
                        .as(dress.name(name))
                        .isEmpty());
    }

    private static String words(FxRobot robot, String id) {
        return robot.lookup(id).queryAs(Labeled.class).getText();
    }
}
