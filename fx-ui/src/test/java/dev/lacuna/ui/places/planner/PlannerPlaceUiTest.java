package dev.lacuna.ui.places.planner;

import static dev.lacuna.ui.fakes.FxWait.fx;
import static dev.lacuna.ui.fakes.FxWait.waitFor;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.estimate.term.Term;
import dev.lacuna.ui.fakes.Counters;
import dev.lacuna.ui.fakes.FakeLiveLayers;
import dev.lacuna.ui.fakes.FakePlannerFiles;
import dev.lacuna.ui.fakes.ThreadWatch;
import dev.lacuna.ui.fakes.WindowExtension;
import dev.lacuna.ui.fakes.WindowFixture;
import dev.lacuna.ui.places.planner.estimate.EstimateViewModel;
import dev.lacuna.ui.places.planner.mindformers.MindformersViewModel;
import dev.lacuna.ui.places.planner.mindformers.MindformersWalk;
import dev.lacuna.ui.places.planner.pareto.ParetoViewModel;
import dev.lacuna.ui.places.planner.pareto.ParetoWalk;
import java.io.File;
import java.util.List;
import java.util.Map;
import javafx.scene.control.ComboBox;
import javafx.scene.control.TreeTableCell;
import javafx.scene.control.TreeTableColumn;
import javafx.scene.control.TreeTableView;
import javafx.scene.input.KeyCode;
import javafx.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.Start;

/** The place as an operator uses it; with {@code -Dlacuna.shots=DIR} saves pictures in both themes, languages and sizes. */
@Tag("ui")
@ExtendWith(WindowExtension.class)
class PlannerPlaceUiTest {

    private final ThreadWatch watch = new ThreadWatch();
    private final FakePlannerFiles files = new FakePlannerFiles()
            .with("/c/bad.yaml", "model_config: {num_layers: 8}\nrecompute_config: {recompute: [-1]}\n");
    private final FakeLiveLayers live = new FakeLiveLayers();
    private WindowFixture window;
    private PlannerPlace place;
    private MindformersViewModel mindformers;

    @Start
    void open(Stage stage) {
        window = new WindowFixture(stage);
        window.open(1280, 800, w -> {
            mindformers = new MindformersViewModel(files, w.context.executor(), w.context.notices(), Map.of());
            place = new PlannerPlace(
                    mindformers,
                    new EstimateViewModel(files, w.context.executor(), w.context.session(), w.context.notices()),
                    new ParetoViewModel(
                            files,
                            w.context.executor(),
                            w.context.ui(),
                            w.context.notices(),
                            live,
                            mindformers::document),
                    w.context.session(),
                    w.context.overlay(),
                    w.context.navigator());
            return List.of(place);
        });
        watch.watch(stage.getScene().getRoot());
    }

    @AfterEach
    void nobody_touched_a_node_off_the_fx_thread() {
        window.close();
        assertThat(watch.trespasses()).isEmpty();
    }

    @Test
    void edits_the_grid_by_mouse_and_keyboard_and_saves_after_a_preview(FxRobot robot) throws Exception {
        window.shootAll("planner-empty");
        robot.clickOn(".mf-way-example");
        MindformersWalk walk = new MindformersWalk(robot, mindformers);
        waitFor(walk::shown);
        window.shootAll("planner-grid");
        walk.click(14, "feed_forward.mul");
        waitFor(walk::changed);
        robot.press(KeyCode.CONTROL).type(KeyCode.Z).release(KeyCode.CONTROL);
        waitFor(() -> !walk.changed());
        walk.select(9, "feed_forward.w2.matmul");
        robot.press(KeyCode.SHIFT).type(KeyCode.DOWN, KeyCode.DOWN).release(KeyCode.SHIFT);
        robot.type(KeyCode.S);
        waitFor(walk::settled);
        window.shootAll("planner-grid-swapped");
        robot.press(KeyCode.CONTROL).type(KeyCode.S).release(KeyCode.CONTROL);
        waitFor(() -> robot.lookup("#mf-difference").tryQuery().isPresent());
        window.shootAll("planner-preview");
        robot.clickOn("#mf-save-cancel");
        fx(() -> {
            mindformers.undo();
            return true;
        });
        walk.click(46, "");
        waitFor(walk::obstructed);
        window.shootAll("planner-obstacle");
    }

    @Test
    void tells_what_is_wrong_with_a_file(FxRobot robot) throws Exception {
        fx(() -> {
            place.open(List.of(new File("/c/bad.yaml")));
            return true;
        });
        waitFor(() -> robot.lookup("#mf-broken").queryLabeled().getText().contains("recompute_config.recompute[0]"));
        window.shootAll("planner-invalid");
    }

    @Test
    void estimates_a_preset_by_stage_and_calibrates_it_with_a_live_process(FxRobot robot) throws Exception {
        robot.clickOn("#planner-tab-estimate");
        window.shootAll("planner-estimate-empty");
        fx(() -> {
            robot.lookup("#est-preset").<String>queryComboBox().setValue("llama2-70b-tp8-pp4-4k");
            return true;
        });
        waitFor(() -> robot.lookup("#est-head").queryLabeled().getText().contains("GiB"));
        window.shootAll("planner-estimate");
        String before = robot.lookup("#est-head").queryLabeled().getText();
        robot.clickOn("#est-pp").write("8");
        waitFor(() -> !robot.lookup("#est-head").queryLabeled().getText().equals(before));
        robot.clickOn("#est-chart").type(KeyCode.RIGHT);
        TrainingProcess process = window.machine.start(48213, "python3 train_gpt.py");
        window.machine
                .of(48213)
                .counters(Counters.ofADevice()
                        .reserved(31L << 30)
                        .allocated(30L << 30)
                        .build());
        fx(() -> window.context
                .session()
                .attach(process)
                .thenAccept(attached -> window.machine.of(48213).send(1, ProcessState.RUNNING)));
        waitFor(() -> !robot.lookup("#est-calibrate").query().isDisabled());
        robot.clickOn("#est-calibrate");
        waitFor(() -> robot.lookup("#est-verdict").tryQuery().isPresent());
        window.shootAll("planner-estimate-calibrated");
    }

    @Test
    void finds_a_preset_by_some_of_its_words_with_the_keyboard_alone(FxRobot robot) throws Exception {
        robot.clickOn("#planner-tab-estimate");
        ComboBox<String> presets = robot.lookup("#est-preset").queryComboBox();
        fx(() -> {
            presets.requestFocus();
            return true;
        });
        robot.press(KeyCode.ALT).type(KeyCode.DOWN).release(KeyCode.ALT);
        waitFor(presets::isShowing);
        robot.write("70b 8k");
        waitFor(() -> robot.lookup(".combo-box-search")
                .queryTextInputControl()
                .getText()
                .equals("70b 8k"));
        robot.type(KeyCode.ENTER);
        waitFor(() -> "llama2-70b-tp8-pp4-8k".equals(presets.getValue()));
        waitFor(() -> robot.lookup("#est-head").queryLabeled().getText().contains("GiB"));
    }

    @Test
    void opens_the_numbers_of_a_bare_shape_and_tells_what_was_assumed(FxRobot robot) throws Exception {
        robot.clickOn("#planner-tab-estimate");
        fx(() -> {
            robot.lookup("#est-preset").<String>queryComboBox().setValue("llama2-13b");
            return true;
        });
        waitFor(() -> shown(robot, "#est-notes"));
        assertThat(robot.lookup("#est-notes .small").queryLabeled().getText()).contains("--micro-batch-size 1");
        assertThat(robot.lookup("#est-figures").queryLabeled().getText()).endsWith("1 device");
        TreeTableView<Term> terms = robot.lookup("#est-terms").query();
        fx(() -> {
            terms.getRoot().getChildren().get(0).getChildren().get(0).setExpanded(true);
            return true;
        });
        TreeTableColumn<Term, ?> formula = terms.getColumns().get(2);
        assertThat(formula.getCellData(0))
                .asString()
                .startsWith("states + activations + ")
                .contains(" = ", " GiB");
        assertThat(robot.lookup("#est-terms .tree-table-cell").queryAllAs(TreeTableCell.class))
                .filteredOn(cell -> !cell.isEmpty())
                .allSatisfy(cell -> assertThat(cell.getTooltip().getText()).isNotBlank());
        window.shootAll("planner-estimate-bare");
        robot.clickOn("#est-micro").write("1");
        waitFor(() -> !shown(robot, "#est-notes"));
    }

    @Test
    void chooses_a_plan_by_budget_and_keyboard_and_applies_one_to_measured_layers(FxRobot robot) throws Exception {
        robot.clickOn("#planner-tab-plan");
        window.shootAll("planner-plan-empty");
        robot.clickOn("#plan-example");
        waitFor(() -> shown(robot, "#plan-again") && shown(robot, "#plan-method"));
        window.shootAll("planner-plan");
        String before = robot.lookup("#plan-needs").queryLabeled().getText();
        robot.clickOn("#plan-chart").type(KeyCode.HOME);
        waitFor(() -> !robot.lookup("#plan-needs").queryLabeled().getText().equals(before));
        String leanest = robot.lookup("#plan-needs").queryLabeled().getText();
        robot.type(KeyCode.END);
        waitFor(() -> !robot.lookup("#plan-needs").queryLabeled().getText().equals(leanest));
        ParetoWalk walk = new ParetoWalk(robot);
        walk.dragBudget(-120);
        waitFor(() -> !robot.lookup("#plan-needs").queryLabeled().getText().equals(before));
        window.shootAll("planner-plan-budget");
        fx(() -> {
            live.attach();
            return true;
        });
        robot.clickOn("#plan-live");
        waitFor(() -> shown(robot, "#plan-again")
                && robot.lookup("#plan-apply").tryQuery().isPresent());
        window.shootAll("planner-plan-live");
        fx(() -> {
            robot.lookup("#plan-apply").queryButton().fire();
            return true;
        });
        waitFor(() -> live.applied().isPresent());
    }

    @Test
    void plans_with_shortcuts_and_places_a_table_of_lifetimes_in_its_tab(FxRobot robot) throws Exception {
        files.with("/p/blocks.csv", "id,lower,upper,size\na,0,5,8\nb,5,10,8\n");
        robot.clickOn("#planner-tab-plan");
        robot.clickOn("#plan-example");
        waitFor(() -> shown(robot, "#plan-again") && shown(robot, "#plan-shortcuts"));
        robot.clickOn("#plan-shortcuts").clickOn("#plan-again");
        waitFor(() -> robot.lookup("dtr+both").tryQuery().isPresent());
        robot.clickOn("#planner-tab-estimate");
        fx(() -> {
            place.plans().open(List.of(new File("/p/blocks.csv")));
            return true;
        });
        waitFor(() -> shown(robot, "#places-facts"));
        window.shootAll("planner-places");
        robot.clickOn("#places-limit").write("1KiB");
        waitFor(() -> shown(robot, "#places-verdict"));
        assertThat(robot.lookup("#places-verdict").queryLabeled().getText()).contains("1016 B");
        assertThat(shown(robot, "#plan-shortcuts")).isFalse();
    }

    private static boolean shown(FxRobot robot, String id) {
        return robot.lookup(id)
                .tryQuery()
                .filter(node -> {
                    javafx.scene.Node at = node;
                    while (at != null && at.isVisible()) {
                        at = at.getParent();
                    }
                    return at == null;
                })
                .isPresent();
    }
}
