package dev.lacuna.ui.places.live;

import static dev.lacuna.ui.fakes.FxWait.allowControl;
import static dev.lacuna.ui.fakes.FxWait.clickSettled;
import static dev.lacuna.ui.fakes.FxWait.clickUntil;
import static dev.lacuna.ui.fakes.FxWait.fx;
import static dev.lacuna.ui.fakes.FxWait.onScreen;
import static dev.lacuna.ui.fakes.FxWait.settle;
import static dev.lacuna.ui.fakes.FxWait.waitFor;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.Change;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.PoolPolicy;
import dev.lacuna.ui.chart.TimelineChart;
import dev.lacuna.ui.fakes.ThreadWatch;
import dev.lacuna.ui.fakes.WindowExtension;
import dev.lacuna.ui.settings.Bookmark;
import dev.lacuna.ui.settings.ThemeChoice;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javafx.css.PseudoClass;
import javafx.event.ActionEvent;
import javafx.event.Event;
import javafx.geometry.Bounds;
import javafx.scene.Node;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Labeled;
import javafx.scene.control.ListView;
import javafx.scene.control.TextField;
import javafx.scene.control.ToggleButton;
import javafx.scene.input.Clipboard;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseButton;
import javafx.scene.layout.Region;
import javafx.scene.text.Text;
import javafx.stage.Stage;
import org.controlsfx.control.ToggleSwitch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.Start;
import org.testfx.util.WaitForAsyncUtils;

@Tag("ui")
@ExtendWith(WindowExtension.class)
class LivePlaceUiTest {
    /** 0.7143 of what the generated device has. */
    private static final long SAFE = (long) (0.71428 * GeneratedTraining.TOTAL);

    private final GeneratedTraining training = new GeneratedTraining();
    private final ThreadWatch watch = new ThreadWatch();
    private LiveWindow window;

    @Start
    void open(Stage stage) {
        window = new LiveWindow(stage, training, ThemeChoice.DARK);
        watch.watch(stage.getScene().getRoot());
    }

    @AfterEach
    void nobody_touched_a_node_off_the_fx_thread() throws Exception {
        WaitForAsyncUtils.asyncFx(window::close).get();
        assertThat(watch.trespasses()).isEmpty();
    }

    private void attach() throws Exception {
        training.advance(Duration.ofSeconds(50));
        WaitForAsyncUtils.asyncFx(() -> window.session.attach(training.process()))
                .get();
        waitFor(() -> window.session.latestProperty().get().isPresent());
    }

    private MemoryCounters counters() {
        return window.session.latestProperty().get().orElseThrow().devices().get(0);
    }

    @Test
    void says_what_to_do_while_nothing_is_attached(FxRobot robot) {
        robot.clickOn("#live-open-processes");
        assertThat(window.processesAsked).hasValue(1);
    }

    @Test
    void switches_the_optimisation_after_asking_once_and_takes_it_back(FxRobot robot) throws Exception {
        attach();
        waitFor(() -> robot.lookup("#gap-banner").query().isVisible());
        robot.clickOn("#banner-optimise");
        allowControl(robot);
        waitFor(() -> counters().optimisation());
        waitFor(() ->
                robot.lookup("#live-optimisation").queryAs(ToggleSwitch.class).isSelected());
        waitFor(() -> status(robot).startsWith("In effect since"));
        robot.press(KeyCode.CONTROL).type(KeyCode.Z).release(KeyCode.CONTROL);
        waitFor(() -> !counters().optimisation());
        clickSettled(robot, "#live-optimisation");
        waitFor(() -> counters().optimisation());
    }

    @Test
    void other_rules_are_previewed_chosen_after_asking_once_and_taken_back(FxRobot robot) throws Exception {
        attach();
        waitFor(() -> text(robot, "#live-rules-effect").contains("MindSpeed"));
        assertThat(text(robot, "#live-rules-effect")).endsWith("hold once the optimisation is on.");
        clickSettled(robot, "#live-optimisation");
        allowControl(robot);
        waitFor(() -> text(robot, "#live-rules-effect").contains("of cache goes back by the end of the step"));
        assertThat(fx(() -> isChosen(robot, PoolPolicy.SEGREGATED))).isTrue();
        clickSettled(robot, "#live-rules-lifetime");
        waitFor(() -> counters().policy() == PoolPolicy.LIFETIME);
        waitFor(() -> isChosen(robot, PoolPolicy.LIFETIME) && !isChosen(robot, PoolPolicy.SEGREGATED));
        waitFor(() -> text(robot, "#live-rules-effect").contains("Lacuna"));
        waitFor(() -> status(robot).startsWith("In effect since"));
        robot.press(KeyCode.CONTROL).type(KeyCode.Z).release(KeyCode.CONTROL);
        waitFor(() -> counters().policy() == PoolPolicy.SEGREGATED && counters().optimisation());
    }

    private static boolean isChosen(FxRobot robot, PoolPolicy policy) {
        return robot.lookup("#live-rules-" + policy.label())
                .queryAs(ToggleButton.class)
                .isSelected();
    }

    @Test
    void a_moment_of_the_process_is_kept_and_shown_again() throws Exception {
        attach();
        waitFor(() -> window.place.moment().isPresent());
        Bookmark kept = fx(() -> window.place.moment().orElseThrow());
        training.advance(Duration.ofSeconds(3));
        assertThat(fx(() -> window.place.show(kept))).isTrue();
        assertThat(fx(() -> window.place.moment().orElseThrow().at())).isEqualTo(kept.at());
        assertThat(kept.lasts()).isFalse();
        assertThat(fx(() -> window.place.show(new Bookmark("", "live", "another", 0, kept.at()))))
                .isFalse();
    }

    @Test
    void applies_the_recommended_fraction_with_one_click(FxRobot robot) throws Exception {
        attach();
        waitFor(() -> robot.lookup("#live-reason")
                .queryAs(Labeled.class)
                .getText()
                .equals("491 MiB lies outside the pool; this leaves it room."));
        waitFor(() -> isAccented(robot));
        waitFor(() ->
                text(robot, "#live-recommended").matches("(?s)Set to 0.94.*GiB, .* (above|below) the peak of .*"));
        clickSettled(robot, "#live-recommended");
        allowControl(robot);
        waitFor(() -> counters().fraction() == 0.94);
        waitFor(() -> robot.lookup("#live-fraction")
                .queryAs(TextField.class)
                .getText()
                .equals("0.94"));
    }

    @Test
    void a_slider_that_is_let_go_of_changes_nothing_until_it_is_applied(FxRobot robot) throws Exception {
        attach();
        WaitForAsyncUtils.asyncFx(() -> window.session.requestControl()).get();
        allowControl(robot);
        Bounds slider = settle(robot, "#live-fraction-slider");
        robot.moveTo(slider.getMaxX() - 9, slider.getCenterY()).press(MouseButton.PRIMARY);
        robot.moveTo(slider.getMinX() + 0.97 * slider.getWidth() - 9, slider.getCenterY())
                .release(MouseButton.PRIMARY);
        waitFor(() -> robot.lookup("#live-fraction-apply").query().getParent().isVisible());
        waitFor(() -> text(robot, "#live-fraction-preview").contains(" the peak of "));
        assertThat(counters().fraction()).isEqualTo(1);
        clickSettled(robot, "#live-fraction-apply");
        waitFor(() -> counters().fraction() < 1);
        waitFor(() -> !robot.lookup("#live-fraction-apply").query().getParent().isVisible());
    }

    @Test
    void a_link_fills_in_the_field_and_leaves_the_job_alone(FxRobot robot) throws Exception {
        attach();
        press(robot, "#live-usual");
        waitFor(() -> robot.lookup("#live-fraction")
                .queryAs(TextField.class)
                .getText()
                .equals("0.94"));
        assertThat(robot.lookup("#consent-yes").tryQuery())
                .as("nothing was asked")
                .isEmpty();
        press(robot, "#live-fraction-discard");
        waitFor(() -> robot.lookup("#live-fraction")
                .queryAs(TextField.class)
                .getText()
                .equals("1.00"));
        assertThat(counters().fraction()).isEqualTo(1);
    }

    /** By keyboard: what samples tell may move it under the pointer. */
    private static void press(FxRobot robot, String id) throws Exception {
        waitFor(() -> robot.lookup(id).tryQuery().filter(Node::isVisible).isPresent());
        WaitForAsyncUtils.asyncFx(() -> robot.lookup(id).query().requestFocus()).get();
        waitFor(() -> robot.lookup(id).query().isFocused());
        robot.type(KeyCode.SPACE);
    }

    @Test
    void the_key_that_leads_into_the_field_is_not_written_into_it(FxRobot robot) throws Exception {
        attach();
        clickSettled(robot, "#live-chart");
        robot.type(KeyCode.F);
        waitFor(() -> robot.lookup("#live-fraction").query().isFocused());
        robot.write("0.5");
        assertThat(robot.lookup("#live-fraction").queryAs(TextField.class).getText())
                .isEqualTo("0.5");
    }

    @Test
    void plain_keys_change_nothing_in_the_job(FxRobot robot) throws Exception {
        attach();
        clickSettled(robot, "#live-chart");
        for (KeyCode key : new KeyCode[] {KeyCode.O, KeyCode.R}) {
            robot.type(key);
        }
        WaitForAsyncUtils.waitForFxEvents();
        assertThat(robot.lookup("#consent-yes").tryQuery()).isEmpty();
        robot.press(KeyCode.CONTROL, KeyCode.SHIFT).type(KeyCode.O).release(KeyCode.SHIFT, KeyCode.CONTROL);
        allowControl(robot);
        waitFor(() -> counters().optimisation());
    }

    @Test
    void does_again_what_was_taken_back(FxRobot robot) throws Exception {
        attach();
        clickSettled(robot, "#live-optimisation");
        allowControl(robot);
        waitFor(() -> counters().optimisation());
        clickSettled(robot, "#live-undo");
        waitFor(() -> !counters().optimisation());
        // While the answer is awaited neither button is for it: the keyboard must not go on to what changes the
        // process.
        waitFor(() -> robot.lookup("#live-redo").query().isFocused());
        assertThat(fx(() -> robot.lookup("#live-redo").queryAs(Region.class).getBorder()))
                .as("and where it is can be seen")
                .isNotNull();
        clickSettled(robot, "#live-redo");
        waitFor(() -> counters().optimisation());
    }

    @Test
    void what_is_below_the_hand_after_a_change_is_no_other_button(FxRobot robot) throws Exception {
        attach();
        fx(() -> window.session.requestControl());
        allowControl(robot);
        Bounds undo = place(robot, "#live-undo");
        Bounds offer = place(robot, "#live-recommended");
        fx(() -> {
            robot.lookup("#live-usual").queryAs(Hyperlink.class).fire();
            return true;
        });
        waitFor(() -> robot.lookup("#live-fraction-apply").query().isVisible());
        assertThat(place(robot, "#live-recommended").getMinY())
                .as("Apply comes and goes above it")
                .isEqualTo(offer.getMinY());
        clickSettled(robot, "#live-fraction-apply");
        waitFor(() -> counters().fraction() == 0.94);
        waitFor(() -> status(robot).startsWith("In effect since"));
        assertThat(place(robot, "#live-undo")).isEqualTo(undo);
    }

    private static Bounds place(FxRobot robot, String query) throws Exception {
        return fx(() -> {
            Node node = robot.lookup(query).query();
            node.getScene().getRoot().layout();
            return node.localToScene(node.getLayoutBounds());
        });
    }

    private void refuse(FxRobot robot) throws Exception {
        training.pinLowestSafe(SAFE);
        attach();
        settle(robot, "#live-fraction");
        robot.doubleClickOn("#live-fraction")
                .press(KeyCode.CONTROL)
                .type(KeyCode.A)
                .release(KeyCode.CONTROL);
        robot.write("30").type(KeyCode.ENTER);
        waitFor(() -> text(robot, "#live-fraction-preview").startsWith("A fraction is a number above 0 and at most 1"));
        assertThat(robot.lookup("#live-fraction").query().isFocused()).isTrue();
        robot.write(" %").type(KeyCode.ENTER);
        allowControl(robot);
        waitFor(() -> robot.lookup("#live-refusal").query().isVisible());
    }

    @Test
    void refuses_a_fatal_fraction_with_its_numbers_and_sets_the_lowest_safe_one(FxRobot robot) throws Exception {
        refuse(robot);
        assertThat(text(robot, "#live-refusal-title"))
                .isEqualTo("Refused: fraction 0.30 would very likely end the training");
        assertThat(text(robot, "#live-refusal-lowest")).startsWith("Lowest safe: fraction 0.7143, a cap of ");
        assertThat(text(robot, "#live-refusal-sure"))
                .isEqualTo("Worked out by replaying its last 4 whole steps, which differ: the next may need more.");
        assertThat(counters().fraction()).isEqualTo(1);
        shoot("live-refused");
        clickSettled(robot, "#live-safe");
        waitFor(() -> counters().fraction() == 0.72);
        waitFor(() -> !robot.lookup("#live-refusal").query().isVisible());
    }

    @Test
    void forces_only_after_the_name_of_the_process_was_typed_and_warns_of_what_it_did(FxRobot robot) throws Exception {
        refuse(robot);
        clickSettled(robot, "#live-force");
        waitFor(() -> robot.lookup("#force-question").tryQuery().isPresent());
        assertThat(text(robot, "#force-type")).isEqualTo("Type train_gpt.py to set it:");
        assertThat(robot.lookup("#force-yes").query().isDisabled()).isTrue();
        robot.write("train").type(KeyCode.ENTER);
        assertThat(robot.lookup("#force-yes").query().isDisabled()).isTrue();
        assertThat(counters().fraction()).isEqualTo(1);
        robot.write("_gpt.py");
        waitFor(() -> !robot.lookup("#force-yes").query().isDisabled());
        shoot("live-force");
        robot.type(KeyCode.ENTER);
        waitFor(() -> counters().fraction() == 0.3);
        waitFor(() -> robot.lookup("#force-question").tryQuery().isEmpty());
        waitFor(() -> status(robot).startsWith("Forced: may end the training. In effect since"));
        Node status = robot.lookup("#live-status").query();
        assertThat(status.getPseudoClassStates())
                .contains(PseudoClass.getPseudoClass("warning"))
                .doesNotContain(PseudoClass.getPseudoClass("done"));
    }

    @Test
    void closes_the_question_and_offers_no_force_once_the_numbers_have_changed(FxRobot robot) throws Exception {
        refuse(robot);
        clickSettled(robot, "#live-force");
        waitFor(() -> robot.lookup("#force-question").tryQuery().isPresent());
        robot.write("train_gpt.py");
        training.pinLowestSafe(SAFE + (100L << 20));
        waitFor(() -> robot.lookup("#force-question").tryQuery().isEmpty());
        waitFor(() -> !robot.lookup("#live-force").query().isVisible());
        assertThat(text(robot, "#live-refusal-expired")).isEqualTo("The numbers have changed; ask again.");
        shoot("live-refusal-expired");
        assertThat(counters().fraction()).isEqualTo(1);
        clickSettled(robot, "#live-again");
        waitFor(() -> robot.lookup("#live-force").query().isVisible());
        assertThat(counters().fraction()).as("asking again forces nothing").isEqualTo(1);
    }

    private static String text(FxRobot robot, String query) {
        return robot.lookup(query).queryAs(Labeled.class).getText();
    }

    @Test
    void leaves_letters_to_a_field_that_is_typed_in(FxRobot robot) throws Exception {
        attach();
        clickSettled(robot, "#live-fraction");
        robot.type(KeyCode.W).type(KeyCode.SPACE);
        TimelineChart chart = robot.lookup("#live-chart").queryAs(TimelineChart.class);
        assertThat(chart.spanNsProperty().get()).isEqualTo(30_000_000_000L);
        assertThat(chart.followingProperty().get()).isTrue();
        robot.type(KeyCode.ESCAPE);
        assertThat(robot.lookup("#live-fraction").queryAs(TextField.class).getText())
                .isEqualTo("1.00");
        robot.type(KeyCode.SPACE);
        assertThat(chart.followingProperty().get())
                .as("the chart has the keyboard again")
                .isFalse();
    }

    @Test
    void zooms_to_the_selection_pans_holds_and_returns(FxRobot robot) throws Exception {
        attach();
        TimelineChart chart = robot.lookup("#live-chart").queryAs(TimelineChart.class);
        Bounds at = onScreen(chart);
        robot.drag(at.getMinX() + 300, at.getCenterY()).dropTo(at.getMinX() + 500, at.getCenterY());
        robot.type(KeyCode.Z);
        assertThat(chart.spanNsProperty().get()).isBetween(7_000_000_000L, 10_000_000_000L);
        assertThat(chart.followingProperty().get()).isFalse();
        robot.moveTo(at.getMinX() + 420, at.getCenterY());
        waitFor(() -> robot.lookup(".crosshair-card").query().isVisible());
        TimeUnit.MILLISECONDS.sleep(400);
        shoot("live-zoomed");
        robot.type(KeyCode.A).type(KeyCode.S).type(KeyCode.H);
        assertThat(chart.spanNsProperty().get()).isEqualTo(30_000_000_000L);
        assertThat(chart.followingProperty().get()).isTrue();
        robot.type(KeyCode.SPACE);
        assertThat(chart.followingProperty().get()).isFalse();
    }

    @Test
    void holds_chart_blocks_pools_events_and_figures_together_where_the_chart_is_clicked(FxRobot robot)
            throws Exception {
        attach();
        TimelineChart chart = robot.lookup("#live-chart").queryAs(TimelineChart.class);
        Bounds at = settle(robot, "#live-chart");
        robot.clickOn(at.getMinX() + 0.6 * at.getWidth(), at.getCenterY());
        waitFor(() -> robot.lookup("#live-resume").query().isVisible());
        assertThat(text(robot, "#live-resume")).matches("Held at \\d\\d:\\d\\d:\\d\\d\\.\\d\\d\\d · resume");
        TimeUnit.MILLISECONDS.sleep(600);
        List<String> held = everyFigure(robot);
        training.advance(Duration.ofSeconds(3));
        waitFor(() -> counters().step() > 0);
        TimeUnit.MILLISECONDS.sleep(600);
        assertThat(everyFigure(robot)).isEqualTo(held);
        assertThat(axisLabels(robot)).as("clock times").allMatch(label -> label.matches("\\d\\d:\\d\\d:\\d\\d.*"));
        shoot("live-held");
        clickSettled(robot, "#live-resume");
        waitFor(() -> chart.followingProperty().get());
        waitFor(() -> !everyFigure(robot).equals(held));
    }

    private List<String> everyFigure(FxRobot robot) {
        Set<Node> figures = robot.lookup(".figure").queryAll();
        return figures.stream()
                .filter(Labeled.class::isInstance)
                .map(figure -> ((Labeled) figure).getText())
                .toList();
    }

    private static List<String> axisLabels(FxRobot robot) {
        return robot.lookup("#live-chart .axis-label").queryAllAs(Text.class).stream()
                .filter(Node::isVisible)
                .map(Text::getText)
                .filter(label -> label.contains(":") || label.contains("now") || label.startsWith("−"))
                .toList();
    }

    @Test
    void choosing_an_event_in_the_list_looks_at_its_instant(FxRobot robot) throws Exception {
        attach();
        training.apply(Change.fraction(0.9));
        ListView<?> events = robot.lookup("#live-events").queryListView();
        waitFor(() -> events.getItems().stream().anyMatch(e -> ((FeedEntry) e).kind() == FeedEntry.Kind.LIMIT));
        WaitForAsyncUtils.asyncFx(() -> events.getSelectionModel().select(3)).get();
        FeedEntry chosen = (FeedEntry) events.getItems().get(3);
        waitFor(() -> robot.lookup("#live-resume").query().isVisible());
        assertThat(events.getSelectionModel().getSelectedItem()).isEqualTo(chosen);
        training.advance(Duration.ofSeconds(3));
        TimeUnit.MILLISECONDS.sleep(400);
        assertThat(events.getItems().get(3)).as("the list stands still").isEqualTo(chosen);
        robot.type(KeyCode.ESCAPE);
        clickSettled(robot, "#live-resume");
        waitFor(() -> events.getSelectionModel().getSelectedItem() == null);
    }

    @Test
    void a_part_that_is_chosen_in_one_card_stands_out_in_the_others(FxRobot robot) throws Exception {
        attach();
        waitFor(() -> robot.lookup(".part-row").queryAll().size() == 13);
        WaitForAsyncUtils.asyncFx(() -> robot.lookup(".part-row")
                        .match(node -> "large (stock)".equals(node.getAccessibleText()))
                        .query()
                        .requestFocus())
                .get();
        robot.type(KeyCode.SPACE);
        waitFor(() -> chosenRows(robot) == 2);
        assertThat(robot.lookup("#live-chart")
                        .queryAs(TimelineChart.class)
                        .followingProperty()
                        .get())
                .as("the key was the row's")
                .isTrue();
        robot.type(KeyCode.SPACE);
        waitFor(() -> chosenRows(robot) == 0);
    }

    private static long chosenRows(FxRobot robot) {
        return robot.lookup(".part-row").queryAll().stream()
                .filter(row -> row.getPseudoClassStates().contains(PseudoClass.getPseudoClass("chosen")))
                .count();
    }

    @Test
    void the_chart_can_stand_alone_and_in_a_window_of_its_own(FxRobot robot) throws Exception {
        attach();
        Node chart = robot.lookup("#live-chart").query();
        clickUntil(
                robot,
                "#live-maximise",
                () -> robot.lookup("#live-block-map").tryQuery().isEmpty());
        assertThat(chart.getScene()).isEqualTo(window.stage.getScene());
        robot.type(KeyCode.M);
        waitFor(() -> robot.lookup("#live-block-map").tryQuery().isPresent());
        robot.press(KeyCode.SHIFT).type(KeyCode.M).release(KeyCode.SHIFT);
        waitFor(() -> chart.getScene() != window.stage.getScene());
        TimelineChart timeline = (TimelineChart) chart;
        WaitForAsyncUtils.asyncFx(() -> Event.fireEvent(
                        chart, new KeyEvent(KeyEvent.KEY_PRESSED, " ", " ", KeyCode.SPACE, false, false, false, false)))
                .get();
        waitFor(() -> !timeline.followingProperty().get());
        WaitForAsyncUtils.asyncFx(
                        () -> window.stage.getScene().lookup("#live-chart-back").fireEvent(new ActionEvent()))
                .get();
        waitFor(() -> chart.getScene() == window.stage.getScene());
    }

    @Test
    void tells_the_meaning_of_a_chosen_part_in_full_and_copies_a_card(FxRobot robot) throws Exception {
        attach();
        waitFor(() -> robot.lookup(".part-row").queryAll().size() == 13);
        WaitForAsyncUtils.asyncFx(() -> robot.lookup(".part-row")
                        .match(node -> "free: split".equals(node.getAccessibleText()))
                        .query()
                        .requestFocus())
                .get();
        robot.type(KeyCode.ENTER);
        waitFor(() -> text(robot, "#where-meaning").startsWith("Free pieces of partly used segments"));
        robot.press(KeyCode.CONTROL).type(KeyCode.C).release(KeyCode.CONTROL);
        String copied = WaitForAsyncUtils.asyncFx(
                        () -> Clipboard.getSystemClipboard().getString())
                .get();
        assertThat(copied.lines().filter(line -> line.contains("free: split"))).hasSize(1);
        assertThat(copied.lines()).hasSizeGreaterThanOrEqualTo(10);
    }

    @Test
    void reads_no_value_where_nothing_was_measured(FxRobot robot) throws Exception {
        training.advance(Duration.ofSeconds(4));
        WaitForAsyncUtils.asyncFx(() -> window.session.attach(training.process()))
                .get();
        waitFor(() -> window.session.latestProperty().get().isPresent());
        Node chart = robot.lookup("#live-chart").query();
        Bounds at = onScreen(chart);
        robot.moveTo(at.getMaxX() - 40, at.getCenterY());
        waitFor(() -> isReading(robot));
        robot.moveTo(at.getMinX() + 160, at.getCenterY());
        waitFor(() -> !isReading(robot));
    }

    private static boolean isReading(FxRobot robot) {
        return robot.lookup(".crosshair-card").query().getParent().isVisible();
    }

    @Test
    void follows_a_change_that_came_from_elsewhere(FxRobot robot) throws Exception {
        attach();
        training.apply(Change.fraction(0.9));
        waitFor(() -> robot.lookup("#live-fraction")
                .queryAs(TextField.class)
                .getText()
                .equals("0.90"));
    }

    @Test
    void takes_a_change_back_with_the_undo_key_even_in_the_field(FxRobot robot) throws Exception {
        attach();
        WaitForAsyncUtils.asyncFx(() -> window.session.requestControl()).get();
        allowControl(robot);
        clickSettled(robot, "#live-recommended");
        waitFor(() -> counters().fraction() == 0.94);
        clickSettled(robot, "#live-fraction");
        robot.press(KeyCode.CONTROL).type(KeyCode.Z).release(KeyCode.CONTROL);
        waitFor(() -> counters().fraction() == 1);
    }

    @Test
    void does_not_urge_to_take_back_a_lower_fraction(FxRobot robot) throws Exception {
        attach();
        waitFor(() -> isAccented(robot));
        training.apply(Change.fraction(0.9));
        waitFor(() -> !isAccented(robot));
        assertThat(robot.lookup("#live-recommended").query().isDisabled()).isFalse();
    }

    private static boolean isAccented(FxRobot robot) {
        return robot.lookup("#live-recommended").query().getStyleClass().contains("accent");
    }

    private static String status(FxRobot robot) {
        return robot.lookup("#live-status").queryAs(Labeled.class).getText();
    }

    private void shoot(String name) throws Exception {
        String folder = System.getProperty("lacuna.shots", "");
        if (!folder.isEmpty()) {
            WaitForAsyncUtils.asyncFx(() -> {
                        window.shoot(new File(folder, name + ".png"));
                        return true;
                    })
                    .get();
        }
    }
}
