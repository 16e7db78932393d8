package dev.lacuna.ui.snapshot.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.history.OpenRequest;
import dev.lacuna.core.history.Recording;
import dev.lacuna.core.history.Recordings;
import dev.lacuna.ui.blocks.Arrangement;
import dev.lacuna.ui.fakes.ThreadWatch;
import dev.lacuna.ui.fakes.WindowFixture;
import dev.lacuna.ui.settings.ThemeChoice;
import dev.lacuna.ui.snapshot.RecordingFiles;
import dev.lacuna.ui.snapshot.SnapshotViewModel;
import dev.lacuna.ui.snapshot.place.SnapshotPanes;
import dev.lacuna.ui.snapshot.place.SnapshotPlace;
import dev.lacuna.ui.snapshot.timeline.TimelinePane;
import dev.lacuna.ui.text.Language;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javafx.scene.control.ChoiceBox;
import javafx.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.ApplicationExtension;
import org.testfx.framework.junit5.Start;
import org.testfx.util.WaitForAsyncUtils;

/** The map of a recorded training run in every dress; with {@code -Dlacuna.shots=DIR} saves the pictures. */
@Tag("ui")
@Tag("conformance")
@ExtendWith(ApplicationExtension.class)
class BlockMapPicturesTest {
    private static final String FILE = System.getProperty(
            "lacuna.picture",
            "sidsoc12__spring2024-assignment2-systems__cs336_systems-mem_snapshot_ctx128_fp32_train__8169e1e6.pickle");

    private final ThreadWatch watch = new ThreadWatch();
    private WindowFixture window;
    private SnapshotViewModel model;
    private BlockMapViewModel map;

    private static final RecordingFiles FILES = new RecordingFiles() {
        @Override
        public Recording open(String path, OpenRequest request) throws IOException {
            return new Recordings().open(Path.of(path), request);
        }

        @Override
        public Recording example() throws IOException {
            throw new IOException("no example here");
        }
    };

    @Start
    void open(Stage stage) {
        window = new WindowFixture(stage);
        window.open(1600, 900, w -> {
            model = new SnapshotViewModel(
                    w.context.executor(), w.context.settings().recentTraces(), FILES);
            map = new BlockMapViewModel(model, w.context.executor());
            SnapshotPanes panes = new SnapshotPanes(
                    new TimelinePane(model, w.context.executor()), new BlockMapPane(map), List.of(), List.of());
            return List.of(new SnapshotPlace(model, panes, List.of(), (recording, path) -> {}, w.context));
        });
        watch.watch(stage.getScene().getRoot());
    }

    @AfterEach
    void nobody_touched_a_node_off_the_fx_thread() {
        window.close();
        assertThat(watch.trespasses()).isEmpty();
    }

    @Test
    void shows_a_recorded_run_in_every_colouring_and_arrangement(FxRobot robot) throws Exception {
        String path =
                Path.of(System.getProperty("lacuna.data"), "snapshots", FILE).toString();
        onFx(() -> model.open(path));
        waitFor(() -> map.pictureProperty().get().isPresent());
        for (Colouring colouring : Colouring.values()) {
            onFx(() -> map.colouringProperty().set(colouring));
            shoot("colour-" + colouring.id(), Language.ENGLISH, ThemeChoice.DARK);
        }
        onFx(() -> map.colouringProperty().set(Colouring.LIFETIME));
        onFx(() -> model.focus().momentProperty().set(model.focus().size() / 2));
        for (Arrangement arrangement : Arrangement.values()) {
            ChoiceBox<Arrangement> choice =
                    robot.lookup("#block-map-arrangement").query();
            onFx(() -> choice.setValue(arrangement));
            robot.moveTo("#block-map");
            for (ThemeChoice theme : List.of(ThemeChoice.LIGHT, ThemeChoice.DARK)) {
                shoot("middle-" + arrangement.name(), Language.CHINESE, theme);
            }
        }
        assertThat(map.pictureProperty().get().orElseThrow().moment().event())
                .isEqualTo(model.focus().size() / 2);
    }

    private void shoot(String name, Language language, ThemeChoice theme) throws Exception {
        onFx(() -> {
            window.context.settings().languageProperty().set(language);
            window.context.settings().themeProperty().set(theme);
        });
        TimeUnit.MILLISECONDS.sleep(600);
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
