package dev.lacuna.ui.places.whatif;

import static dev.lacuna.ui.fakes.FxWait.fx;
import static dev.lacuna.ui.fakes.FxWait.onScreen;
import static dev.lacuna.ui.fakes.FxWait.waitFor;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.history.agent.AgentHistory;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.ui.chart.OverlayChart;
import dev.lacuna.ui.fakes.FakeTraceFiles;
import dev.lacuna.ui.fakes.ThreadWatch;
import dev.lacuna.ui.fakes.WindowExtension;
import dev.lacuna.ui.fakes.WindowFixture;
import java.io.File;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javafx.css.PseudoClass;
import javafx.geometry.Bounds;
import javafx.scene.Node;
import javafx.scene.input.KeyCode;
import javafx.scene.layout.GridPane;
import javafx.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.Start;

/** The place as an operator uses it; with {@code -Dlacuna.shots=DIR} saves pictures in both themes and languages. */
@Tag("ui")
@ExtendWith(WindowExtension.class)
class WhatIfPlaceUiTest {
    private final ThreadWatch watch = new ThreadWatch();
    private final FakeTraceFiles files =
            new FakeTraceFiles().with("/runs/broken.csv", "ts_ns,op,addr,size,thread\n0,A,ff,100,0\n1,F,fe,0,0\n");
    private WindowFixture window;
    private WhatIfPlace place;
    private WhatIfViewModel model;

    @Start
    void open(Stage stage) {
        window = new WindowFixture(stage);
        window.open(1280, 800, w -> {
            w.context.settings().recentTraces().remember("/data/runs/2026-11-20/llama-13b-rank3.csv.gz");
            model = new WhatIfViewModel(
                    w.context.executor(), w.context.ui(), w.context.settings().recentTraces(), files);
            place = new WhatIfPlace(model, w.context.navigator(), w.context.notices());
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
    void compares_the_example_and_works_out_its_smallest_cards(FxRobot robot) throws Exception {
        window.shootAll("whatif-empty");
        robot.clickOn("#whatif-example");
        waitFor(() -> model.stateProperty().get() == WhatIfViewModel.State.DONE && isShown(robot, "#whatif-table"));
        assertThat(tableRows(robot)).isEqualTo(1 + model.runs().size());
        waitFor(() -> model.runs().stream().allMatch(r -> r.search() == PolicyRun.Search.DONE));
        // Which one it is depends on which there are: a policy is one line.
        assertThat(model.runs().stream()
                        .filter(r ->
                                robot.lookup("#best-" + r.policy()).tryQuery().isPresent()))
                .hasSize(1);
        robot.moveTo("#whatif-chart");
        waitFor(() -> robot.lookup(".crosshair-time")
                .tryQuery()
                .filter(n -> isShown(n))
                .isPresent());
        window.shootAll("whatif-smallest");
    }

    @Test
    void replays_the_device_that_was_looked_at() throws Exception {
        Recording two = AgentHistory.recording("two.pickle", "made", List.of(made(0, 9, 1 << 20), made(1, 2, 8 << 20)));
        fx(() -> {
            place.open(two, two.devices().get(1), Optional.of("/runs/two.pickle"));
            return true;
        });
        waitFor(() -> model.stateProperty().get() == WhatIfViewModel.State.DONE);
        assertThat(model.sourceProperty().get()).isEqualTo("two.pickle · device 1");
        assertThat(model.runs())
                .isNotEmpty()
                .allSatisfy(run ->
                        assertThat(run.outcome().result().peakAllocatedBytes()).isEqualTo(8 << 20));
    }

    private static AgentHistory.Result made(int device, int pairs, int bytes) {
        AgentHistory reported = new AgentHistory(device);
        int pool = PoolName.STOCK_LARGE.ordinal();
        reported.add(EventKind.GROW, 1, 1L << 40, bytes, pool, 0);
        for (int i = 0; i < pairs; i++) {
            reported.add(EventKind.ALLOC, 2 + 2 * i, 1L << 40, bytes, pool, 0);
            reported.add(EventKind.FREE, 3 + 2 * i, 1L << 40, bytes, pool, 0);
        }
        return reported.build(OpenRequest.ALL);
    }

    @Test
    void shows_failures_of_a_smaller_device_typed_by_keyboard(FxRobot robot) throws Exception {
        robot.clickOn("#whatif-example");
        waitFor(() -> model.stateProperty().get() == WhatIfViewModel.State.DONE);
        robot.clickOn("#whatif-capacity").write("12 apples");
        assertThat(robot.lookup("#whatif-replay").query().isDisabled()).isTrue();
        waitFor(() -> robot.lookup(".field-fault").queryAll().stream().anyMatch(n -> isShown(n)));
        robot.eraseText(9).write("11GiB").type(KeyCode.ENTER);
        waitFor(() -> model.stateProperty().get() == WhatIfViewModel.State.DONE
                && model.runs().stream().anyMatch(r -> r.outcome().result().ooms() > 0));
        waitFor(() -> robot.lookup(".failures").tryQuery().isPresent());
        window.shootAll("whatif-failures");
    }

    @Test
    void a_picture_that_nothing_changes_is_not_drawn_again(FxRobot robot) throws Exception {
        robot.clickOn("#whatif-example");
        waitFor(() -> model.stateProperty().get() == WhatIfViewModel.State.DONE);
        waitFor(() -> model.runs().stream().allMatch(r -> r.search() == PolicyRun.Search.DONE));
        waitFor(() -> robot.lookup("#whatif-chart .axis-label").tryQuery().isPresent());
        TimeUnit.MILLISECONDS.sleep(800);
        // Each drawing makes its labels anew.
        Node label = robot.lookup("#whatif-chart .axis-label").query();
        TimeUnit.MILLISECONDS.sleep(400);
        assertThat(robot.lookup("#whatif-chart .axis-label").<Node>query()).isSameAs(label);
    }

    @Test
    void reads_values_with_the_arrow_keys(FxRobot robot) throws Exception {
        robot.clickOn("#whatif-example");
        waitFor(() -> model.stateProperty().get() == WhatIfViewModel.State.DONE);
        OverlayChart chart = robot.lookup("#whatif-chart").queryAs(OverlayChart.class);
        waitFor(() ->
                chart.getAccessibleText() != null && chart.getAccessibleText().contains("caching"));
        fx(() -> {
            chart.requestFocus();
            return true;
        });
        robot.type(KeyCode.HOME);
        waitFor(() -> text(robot, ".crosshair-time").equals("event 1"));
        robot.type(KeyCode.RIGHT);
        waitFor(() -> !text(robot, ".crosshair-time").equals("event 1"));
    }

    @Test
    void what_is_selected_stands_out_in_table_legend_and_list(FxRobot robot) throws Exception {
        robot.clickOn("#whatif-example");
        waitFor(() -> model.stateProperty().get() == WhatIfViewModel.State.DONE && isShown(robot, "#whatif-table"));
        waitFor(() -> model.runs().stream().allMatch(r -> r.search() == PolicyRun.Search.DONE));
        robot.clickOn("#whatif-row-segregated");
        waitFor(() -> chosen(robot).equals(List.of("part-row", "policy-choice", "policy-entry")));
        assertThat(model.selectedProperty().get()).contains("segregated");
        window.shootAll("whatif-selected");
        robot.type(KeyCode.SPACE);
        waitFor(() -> chosen(robot).isEmpty());
        fx(() -> {
            robot.lookup("#whatif-chart").query().requestFocus();
            return true;
        });
        robot.type(KeyCode.DOWN);
        assertThat(model.selectedProperty().get()).contains(model.runs().get(0).policy());
        robot.type(KeyCode.UP);
        assertThat(model.selectedProperty().get())
                .contains(model.runs().get(model.runs().size() - 1).policy());
        robot.type(KeyCode.ESCAPE);
        waitFor(() -> chosen(robot).isEmpty());
        robot.clickOn(robot.lookup(".policy-entry")
                .match(node -> "expandable".equals(node.getUserData()))
                .<Node>query());
        waitFor(() -> chosen(robot).equals(List.of("part-row", "policy-choice", "policy-entry")));
        assertThat(model.selectedProperty().get()).contains("expandable");
    }

    /** Style classes of what stands out. */
    private static List<String> chosen(FxRobot robot) {
        return Stream.of("part-row", "policy-choice", "policy-entry")
                .filter(style -> robot.lookup("." + style).queryAll().stream()
                        .anyMatch(node -> node.getPseudoClassStates().contains(PseudoClass.getPseudoClass("chosen"))))
                .toList();
    }

    @Test
    void a_click_on_a_curve_selects_it_and_one_beside_lets_go(FxRobot robot) throws Exception {
        robot.clickOn("#whatif-example");
        waitFor(() -> model.stateProperty().get() == WhatIfViewModel.State.DONE && isShown(robot, "#whatif-chart"));
        waitFor(() -> model.runs().stream().allMatch(r -> r.search() == PolicyRun.Search.DONE));
        Bounds chart = onScreen(robot.lookup("#whatif-chart").query());
        // From the top down there is a curve somewhere above what was allocated.
        for (double y = chart.getMinY() + 12; y < chart.getMaxY() - 30; y += 10) {
            robot.clickOn(chart.getMinX() + chart.getWidth() * 0.8, y);
            if (model.selectedProperty().get().isPresent()) {
                break;
            }
        }
        assertThat(model.selectedProperty().get()).isPresent();
        robot.clickOn(chart.getMinX() + chart.getWidth() * 0.8, chart.getMaxY() - 32);
        assertThat(model.selectedProperty().get()).isEmpty();
    }

    @Test
    void tells_what_is_wrong_with_a_dropped_trace_and_goes_back(FxRobot robot) throws Exception {
        fx(() -> {
            place.open(List.of(new File("/runs/broken.csv")));
            return true;
        });
        waitFor(() -> isShown(robot, "#whatif-fault"));
        assertThat(text(robot, "#whatif-fault")).contains("Line 3");
        window.shootAll("whatif-failed");
        robot.clickOn("#whatif-back");
        waitFor(() -> isShown(robot, "#whatif-example"));
        assertThat(robot.lookup("broken.csv").tryQuery())
                .as("it was never open")
                .isEmpty();
    }

    private static int tableRows(FxRobot robot) {
        return robot.lookup("#whatif-table").queryAs(GridPane.class).getRowCount();
    }

    private static String text(FxRobot robot, String id) {
        return robot.lookup(id).queryLabeled().getText();
    }

    private static boolean isShown(FxRobot robot, String id) {
        return robot.lookup(id).tryQuery().filter(node -> isShown(node)).isPresent();
    }

    private static boolean isShown(Node node) {
        return node == null || node.isVisible() && isShown(node.getParent());
    }
}
