package dev.lacuna.ui.places.recording.map;

import static dev.lacuna.ui.fakes.FxWait.inScene;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lacuna.ui.blockmap.Arrangement;
import dev.lacuna.ui.fakes.FakeExportFiles;
import dev.lacuna.ui.fakes.FakeRecordingFiles;
import dev.lacuna.ui.fakes.ThreadWatch;
import dev.lacuna.ui.fakes.WindowExtension;
import dev.lacuna.ui.fakes.WindowFixture;
import dev.lacuna.ui.places.recording.RecordingPlace;
import dev.lacuna.ui.places.recording.attribution.AttributionPanes;
import dev.lacuna.ui.places.recording.focus.RecordingFocus;
import dev.lacuna.ui.places.recording.focus.RecordingSelection;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel;
import dev.lacuna.ui.settings.ThemeChoice;
import dev.lacuna.ui.text.Language;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javafx.scene.Node;
import javafx.scene.control.ChoiceBox;
import javafx.scene.control.Label;
import javafx.scene.input.KeyCode;
import javafx.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.Start;
import org.testfx.util.WaitForAsyncUtils;

/** The map as an operator uses it; with {@code -Dlacuna.shots=DIR} saves pictures of it. */
@Tag("ui")
@ExtendWith(WindowExtension.class)
class BlockMapPaneUiTest {
    private static final String REAL_RUN =
            "sidsoc12__spring2024-assignment2-systems__cs336_systems-mem_snapshot_ctx128_fp32_train__8169e1e6.pickle";

    private final ThreadWatch watch = new ThreadWatch();
    private WindowFixture window;
    private RecordingViewModel model;
    private RecordingFocus focus;

    @Start
    void open(Stage stage) {
        window = new WindowFixture(stage);
        window.open(1600, 900, w -> {
            FakeRecordingFiles files = new FakeRecordingFiles();
            model = new RecordingViewModel(
                    w.context.executor(), w.context.settings().recentTraces(), files);
            focus = model.focus();
            AttributionPanes who = AttributionPanes.of(model, files, new FakeExportFiles(), w.context);
            return List.of(RecordingPlace.of(model, who, (recording, shown, path) -> {}, w.context));
        });
        watch.watch(stage.getScene().getRoot());
    }

    @AfterEach
    void nobody_touched_a_node_off_the_fx_thread() {
        window.close();
        assertThat(watch.trespasses()).isEmpty();
    }

    @Test
    void follows_the_moment_selects_by_key_and_tells_what_is_under_it(FxRobot robot) throws Exception {
        onFx(model::openExample);
        waitFor(() -> focus.size() > 0 && summary(robot).startsWith("moment"));
        int middle = focus.size() / 2;
        onFx(() -> focus.momentProperty().set(middle));
        waitFor(() -> summary(robot).startsWith("moment " + String.format(Locale.ROOT, "%,d ", middle)));
        Node map = robot.lookup("#block-map").query();
        onFx(map::requestFocus);
        robot.type(KeyCode.RIGHT, KeyCode.RIGHT);
        waitFor(() -> map.lookup(".crosshair-card").isVisible());
        robot.type(KeyCode.ENTER);
        waitFor(() -> !(focus.selectionProperty().get() instanceof RecordingSelection.None));
        robot.type(KeyCode.ESCAPE);
        waitFor(() -> focus.selectionProperty().get() instanceof RecordingSelection.None);
        robot.clickOn(map);
        waitFor(() -> !(focus.selectionProperty().get() instanceof RecordingSelection.None));
    }

    @Test
    void keeps_the_legend_above_the_map_in_a_small_window(FxRobot robot) throws Exception {
        onFx(() -> {
            window.stage.setWidth(900);
            window.stage.setHeight(580);
        });
        onFx(model::openExample);
        waitFor(() -> focus.size() > 0 && summary(robot).startsWith("moment"));
        ChoiceBox<Colouring> colour = robot.lookup("#block-map-colour").query();
        onFx(() -> colour.setValue(Colouring.LIFETIME));
        waitFor(() -> robot.lookup(".block-legend .label").queryAll().size() == 5);
        WaitForAsyncUtils.waitForFxEvents();
        Node map = robot.lookup("#block-map").query();
        double top = inScene(map).getMinY();
        for (Node label : robot.lookup(".block-legend .label").<Node>queryAll()) {
            assertThat(inScene(label).getMaxY()).isLessThanOrEqualTo(top);
        }
        assertThat(inScene(map).getHeight()).isGreaterThanOrEqualTo(60);
    }

    @Test
    void shows_nothing_of_a_moment_without_memory(FxRobot robot) throws Exception {
        onFx(model::openExample);
        waitFor(() -> focus.size() > 0 && summary(robot).startsWith("moment"));
        onFx(() -> focus.momentProperty().set(0));
        waitFor(() -> summary(robot).startsWith("moment 0 "));
    }

    @Test
    @Tag("conformance")
    @Tag("nightly")
    void shows_a_recorded_run_in_every_colouring_and_arrangement(FxRobot robot) throws Exception {
        Path recorded = Path.of(System.getProperty("lacuna.data"), "snapshots", REAL_RUN);
        assumeTrue(Files.exists(recorded), () -> recorded + " is not in this set");
        onFx(() -> model.open(recorded.toString()));
        waitFor(() -> summary(robot).startsWith("moment 27,358"));
        ChoiceBox<Colouring> colour = robot.lookup("#block-map-colour").query();
        for (Colouring colouring : Colouring.values()) {
            onFx(() -> colour.setValue(colouring));
            shoot("colour-" + colouring, Language.ENGLISH, ThemeChoice.DARK);
        }
        onFx(() -> focus.momentProperty().set(focus.size() / 2));
        onFx(() -> focus.selectionProperty().set(new RecordingSelection.SizeClass(20 << 20, 30 << 20)));
        ChoiceBox<Arrangement> arranged = robot.lookup("#block-map-arrangement").query();
        robot.moveTo("#block-map");
        for (Arrangement arrangement : Arrangement.values()) {
            onFx(() -> arranged.setValue(arrangement));
            for (ThemeChoice theme : List.of(ThemeChoice.LIGHT, ThemeChoice.DARK)) {
                shoot("middle-" + arrangement, Language.CHINESE, theme);
            }
        }
    }

    private static String summary(FxRobot robot) {
        return robot.lookup("#block-map-summary").queryAs(Label.class).getText();
    }

    private void shoot(String name, Language language, ThemeChoice theme) throws Exception {
        onFx(() -> {
            window.context.settings().languageProperty().set(language);
            window.context.settings().themeProperty().set(theme);
        });
        TimeUnit.MILLISECONDS.sleep(1000);
        WaitForAsyncUtils.asyncFx(() -> {
                    window.shoot("map-%s-%s".formatted(name, theme).toLowerCase(Locale.ROOT));
                    return true;
                })
                .get();
    }

    private static void onFx(Runnable action) throws Exception {
        WaitForAsyncUtils.asyncFx(action).get();
    }

    private static void waitFor(Callable<Boolean> condition) throws Exception {
        WaitForAsyncUtils.waitFor(30, TimeUnit.SECONDS, condition);
    }
}
