package dev.lacuna.ui.places.recording.attribution;

import static dev.lacuna.ui.fakes.FxWait.waitFor;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.fakes.FakeRecordingFiles;
import dev.lacuna.ui.fakes.WindowExtension;
import dev.lacuna.ui.places.recording.RecordingWindow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javafx.scene.control.ListView;
import javafx.scene.control.TabPane;
import javafx.scene.control.TableView;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.TreeTableView;
import javafx.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.Start;
import org.testfx.util.WaitForAsyncUtils;

/** Every tab on a real snapshot; with {@code -Dlacuna.shots=DIR} saves pictures in both themes and both languages. */
@Tag("ui")
@Tag("conformance")
@ExtendWith(WindowExtension.class)
class AttributionPicturesTest {
    private RecordingWindow window;

    @Start
    void open(Stage stage) {
        window = new RecordingWindow(stage, new FakeRecordingFiles(), 1600, 950);
    }

    @AfterEach
    void close() {
        window.close();
    }

    @Test
    void shows_who_holds_what_in_a_real_snapshot(FxRobot robot) throws Exception {
        String path = file("ctx512_fullstep");
        fx(() -> window.model.open(path));
        waitFor(() -> window.model.timelineProperty().get().isPresent());
        fx(() -> window.model.focus().momentProperty().set(9000));
        ListView<?> findings = robot.lookup("#who-findings").query();
        waitFor(() -> !findings.getItems().isEmpty());
        window.fixture.shootAll("who-findings");
        tab(robot, 1);
        TreeTableView<?> stacks = robot.lookup("#who-stacks").query();
        waitFor(() -> stacks.getExpandedItemCount() > 1);
        fx(() -> {
            stacks.getTreeItem(1).setExpanded(true);
            stacks.getSelectionModel().select(2);
        });
        window.fixture.shootAll("who-stacks");
        press(robot, "#who-look-flame");
        window.fixture.shootAll("who-flame");
        press(robot, "#who-direction-bottom-up");
        window.fixture.shootAll("who-flame-bottom-up");
        tab(robot, 2);
        ListView<?> sizes = robot.lookup("#who-sizes").query();
        waitFor(() -> !sizes.getItems().isEmpty());
        window.fixture.shootAll("who-sizes");
        tab(robot, 3);
        TableView<?> blocks = robot.lookup("#who-blocks").query();
        waitFor(() -> !blocks.getItems().isEmpty());
        window.fixture.shootAll("who-blocks");
        tab(robot, 4);
        TableView<?> differences = robot.lookup("#who-differences").query();
        waitFor(() -> !differences.getItems().isEmpty());
        window.fixture.shootAll("who-compare");
        press(robot, "#who-by-block");
        TableView<?> leaks = robot.lookup("#who-leaks").query();
        waitFor(() -> !leaks.getItems().isEmpty());
        window.fixture.shootAll("who-compare-blocks");
        assertThat(leaks.getItems()).isNotEmpty();
    }

    private static void tab(FxRobot robot, int index) throws Exception {
        TabPane tabs = robot.lookup("#snapshot-tabs").query();
        fx(() -> tabs.getSelectionModel().select(index));
    }

    private static void press(FxRobot robot, String id) throws Exception {
        ToggleButton button = robot.lookup(id).query();
        fx(button::fire);
        TimeUnit.MILLISECONDS.sleep(300);
        WaitForAsyncUtils.waitForFxEvents();
    }

    private static String file(String part) throws Exception {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("lacuna.data"), "snapshots"))) {
            return files.filter(f -> f.getFileName().toString().contains(part))
                    .sorted()
                    .findFirst()
                    .orElseThrow()
                    .toString();
        }
    }

    private static void fx(Runnable action) throws Exception {
        WaitForAsyncUtils.asyncFx(action).get();
        WaitForAsyncUtils.waitForFxEvents();
    }
}
