package dev.lacuna.ui.places.recording;

import static dev.lacuna.ui.fakes.FxWait.inScene;
import static dev.lacuna.ui.fakes.FxWait.onScreen;
import static dev.lacuna.ui.fakes.FxWait.waitFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lacuna.core.history.Redaction;
import dev.lacuna.ui.fakes.FakeRecordingFiles;
import dev.lacuna.ui.fakes.ThreadWatch;
import dev.lacuna.ui.fakes.WindowExtension;
import dev.lacuna.ui.parts.ViewPicture;
import dev.lacuna.ui.places.recording.attribution.ComparePane;
import dev.lacuna.ui.places.recording.attribution.ExportMenu;
import dev.lacuna.ui.places.recording.focus.RecordingFocus;
import dev.lacuna.ui.places.recording.focus.RecordingSelection;
import dev.lacuna.ui.text.ByteText;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javafx.geometry.Bounds;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.CheckBox;
import javafx.scene.control.Labeled;
import javafx.scene.control.TabPane;
import javafx.scene.control.TableView;
import javafx.scene.input.KeyCode;
import javafx.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.Start;
import org.testfx.util.WaitForAsyncUtils;

/** The whole way of an engineer with a recording: open, rewind, select, ask what if, compare, export. */
@Tag("ui")
@ExtendWith(WindowExtension.class)
class RecordingWalkUiTest {
    private final ThreadWatch watch = new ThreadWatch();

    @TempDir
    private Path folder;

    private RecordingWindow window;

    @Start
    void open(Stage stage) {
        window = new RecordingWindow(stage, new FakeRecordingFiles(), 1600, 900);
        watch.watch(stage.getScene().getRoot());
    }

    @AfterEach
    void nobody_touched_a_node_off_the_fx_thread() {
        window.close();
        assertThat(watch.trespasses()).isEmpty();
    }

    @Test
    void walks_through_a_trace_that_was_made_here(FxRobot robot) throws Exception {
        Path file = folder.resolve("made.trace");
        Files.writeString(file, training(6));
        walk(robot, file);
    }

    @Test
    @Tag("conformance")
    @Tag("nightly")
    void walks_through_a_snapshot_of_a_real_run(FxRobot robot) throws Exception {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("lacuna.data"), "snapshots"))) {
            walk(
                    robot,
                    files.filter(f -> f.toString().contains("ctx128_fullstep"))
                            .findFirst()
                            .orElseThrow());
        }
    }

    private void walk(FxRobot robot, Path file) throws Exception {
        fx(() -> window.model.open(file.toString()));
        waitFor(() -> window.model.timelineProperty().get().isPresent());
        rewind(robot);
        select(robot);
        askWhatIf(robot, file);
        compare(robot, file);
        export(robot, file);
    }

    private void rewind(FxRobot robot) throws Exception {
        RecordingFocus focus = window.model.focus();
        robot.clickOn("#recording-timeline");
        int middle = focus.momentProperty().get();
        assertThat(middle).isBetween(1, focus.size() - 1);
        robot.type(KeyCode.LEFT, 3);
        WaitForAsyncUtils.waitForFxEvents();
        assertThat(focus.momentProperty().get()).isEqualTo(middle - 3);
        assertThat(robot.lookup("#timeline-moment").queryAs(Labeled.class).getText())
                .contains(String.format("%,d", middle - 3));
        robot.type(KeyCode.P);
        WaitForAsyncUtils.waitForFxEvents();
        long peak = window.model
                .timelineProperty()
                .get()
                .orElseThrow()
                .reader()
                .at(focus.momentProperty().get())
                .allocated();
        assertThat(peak).isPositive();
    }

    /** A drag over the pictures selects a stretch; a click on a block selects it. */
    private void select(FxRobot robot) throws Exception {
        RecordingFocus focus = window.model.focus();
        Bounds charts = onScreen(robot.lookup("#recording-timeline").query());
        robot.drag(charts.getMinX() + 300, charts.getMinY() + 90).dropTo(charts.getMinX() + 700, charts.getMinY() + 90);
        WaitForAsyncUtils.waitForFxEvents();
        assertThat(focus.hasRange()).isTrue();
        assertThat(robot.lookup("#snapshot-only-range").query().isVisible()).isTrue();
        robot.clickOn(charts.getMaxX() - 40, charts.getMaxY() - 12);
        WaitForAsyncUtils.waitForFxEvents();
        assertThat(focus.selectionProperty().get()).isInstanceOf(RecordingSelection.Allocation.class);
        // Seen where it is too small to be drawn, too: when it lived is marked below the lives.
        waitFor(() -> robot.lookup(".selected-life").query().isVisible());
        int chosen = ((RecordingSelection.Allocation) focus.selectionProperty().get()).id();
        TableView<?> blocks = blocks(robot);
        waitFor(() -> Integer.valueOf(chosen).equals(blocks.getSelectionModel().getSelectedItem()));
    }

    /** The same run under other allocators: one plain sentence, a row for each, and back. */
    private void askWhatIf(FxRobot robot, Path file) throws Exception {
        robot.clickOn("#snapshot-whatif");
        waitFor(() -> window.askedWhatIf.isPresent());
        assertThat(window.askedWhatIf).contains(file.toString());
        waitFor(() -> robot.lookup("#whatif-gain")
                .tryQuery()
                .filter(gain -> !((Labeled) gain).getText().isEmpty())
                .isPresent());
        // The sentence may stand there before the rows have their figures.
        waitFor(() -> texts(robot.lookup("#whatif-table").queryAs(Parent.class)).stream()
                        .filter(text -> text.matches("[\\d.,]+ [KMG]iB"))
                        .count()
                > 3);
        List<String> table = texts(robot.lookup("#whatif-table").queryAs(Parent.class));
        assertThat(table).contains("caching", "expandable", "segregated");
        robot.clickOn("#rail-snapshot");
        waitFor(() -> ViewPicture.isShown(robot.lookup("#recording-timeline").query()));
    }

    private void compare(FxRobot robot, Path file) throws Exception {
        TabPane tabs = robot.lookup("#snapshot-tabs").queryAs(TabPane.class);
        for (int i = 0; i < tabs.getTabs().size(); i++) {
            int tab = i;
            fx(() -> tabs.getSelectionModel().select(tab));
        }
        assertThat(tabs.getSelectionModel().getSelectedItem().getId()).isEqualTo("snapshot-tab-compare");
        int all = window.model.focus().size();
        fx(() -> window.model.focus().momentProperty().set(all / 2));
        robot.clickOn("#who-compare-mark");
        fx(() -> window.model.focus().momentProperty().set(all));
        TableView<?> differences = robot.lookup("#who-differences").query();
        Labeled change = robot.lookup("#who-compare-change").query();
        waitFor(() -> !differences.getItems().isEmpty() && !change.getText().isEmpty());
        String forwards = change.getText();
        robot.clickOn("#who-compare-swap");
        waitFor(() -> !change.getText().equals(forwards));
        assertThat(change.getText().replaceAll("[+−-]", "")).isEqualTo(forwards.replaceAll("[+−-]", ""));
        robot.clickOn("#who-compare-swap");
        robot.clickOn("#who-by-block");
        TableView<?> leaks = robot.lookup("#who-leaks").query();
        // The trace made here ends with nothing that was not there in its middle: the weights are in both.
        fx(() -> robot.lookup("#who-leaks-both").queryAs(CheckBox.class).setSelected(true));
        waitFor(() -> !leaks.getItems().isEmpty());
        ComparePane pane = (ComparePane) window.who.tabs().get(4);
        fx(() -> pane.compareWith(file.toString()));
        waitFor(() -> robot.lookup("#who-compare-sums").queryAs(Parent.class).lookupAll(".label").stream()
                .anyMatch(label ->
                        ((Labeled) label).getText().contains(file.getFileName().toString())));
    }

    private void export(FxRobot robot, Path file) throws Exception {
        ExportMenu menu = robot.lookup("#who-export").queryAs(ExportMenu.class);
        assertThat(menu.isVisible()).isTrue();
        fx(() -> menu.write("/made/report.html", menu.report(Redaction.NONE)));
        waitFor(() -> window.exports.written().containsKey("/made/report.html"));
        String report = new String(window.exports.written().get("/made/report.html"), StandardCharsets.UTF_8);
        String reserved = ByteText.of(window.model
                .timelineProperty()
                .get()
                .orElseThrow()
                .reader()
                .at(window.model.focus().size())
                .reserved());
        assertThat(report)
                .startsWith("<!")
                .contains("</html>", file.getFileName().toString(), reserved)
                .doesNotContain("<script", "src=\"http");
        fx(() -> menu.write("/made/redacted.html", menu.report(Redaction.salted("salt"))));
        waitFor(() -> window.exports.written().containsKey("/made/redacted.html"));
        assertThat(new String(window.exports.written().get("/made/redacted.html"), StandardCharsets.UTF_8))
                .contains(reserved)
                .doesNotContain(file.getFileName().toString());
        fx(() -> menu.write("/made/stacks.csv", menu.stacks()));
        waitFor(() -> window.exports.written().containsKey("/made/stacks.csv"));
        List<String> stacks = new String(window.exports.written().get("/made/stacks.csv"), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(stacks.get(0)).startsWith("live_bytes,blocks,");
        long live = window.model
                .timelineProperty()
                .get()
                .orElseThrow()
                .reader()
                .at(window.model.focus().momentProperty().get())
                .allocated();
        assertThat(stacks.stream()
                        .skip(1)
                        .mapToLong(row -> Long.parseLong(row.split(",")[0]))
                        .sum())
                .isEqualTo(live);
        for (String view : List.of("#recording-timeline", "#block-map", "#who-compare-pane")) {
            Node node = robot.lookup(view).query();
            assertThat(ViewPicture.isShown(node)).isTrue();
            fx(() -> menu.write("/made/" + view + ".png", ViewPicture.of(node, window.exports)));
            waitFor(() -> window.exports.written().containsKey("/made/" + view + ".png"));
            Bounds bounds = inScene(node);
            String size = new String(window.exports.written().get("/made/" + view + ".png"), StandardCharsets.UTF_8);
            assertThat(Integer.parseInt(size.split("x")[0])).isCloseTo((int) bounds.getWidth(), within(2));
        }
        assertThat(ViewPicture.isShown(robot.lookup("#who-stacks-pane").query()))
                .isFalse();
    }

    /** Weights that stay, and in every step activations of another length that come and go. */
    private static String training(int steps) {
        StringBuilder trace = new StringBuilder("total 8589934592\n");
        for (int weight = 0; weight < 12; weight++) {
            trace.append("alloc w").append(weight).append(' ').append(40 << 20).append('\n');
        }
        for (int step = 0; step < steps; step++) {
            trace.append("phase step begin\n");
            for (int layer = 0; layer < 24; layer++) {
                trace.append("alloc a%d.%d %d%n".formatted(step, layer, (step % 5 + 3L) * (layer + 1) << 20));
            }
            for (int layer = 23; layer >= 0; layer--) {
                trace.append("free a%d.%d%n".formatted(step, layer));
            }
            trace.append("phase step end\n");
        }
        return trace.toString();
    }

    private TableView<?> blocks(FxRobot robot) throws Exception {
        TabPane tabs = robot.lookup("#snapshot-tabs").queryAs(TabPane.class);
        fx(() -> tabs.getSelectionModel().select(3));
        return robot.lookup("#who-blocks").query();
    }

    private static List<String> texts(Parent parent) {
        return parent.lookupAll(".label").stream()
                .map(label -> ((Labeled) label).getText())
                .toList();
    }

    private static void fx(Runnable action) throws Exception {
        WaitForAsyncUtils.asyncFx(action).get();
        WaitForAsyncUtils.waitForFxEvents();
    }
}
