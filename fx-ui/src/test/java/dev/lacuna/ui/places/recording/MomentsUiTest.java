package dev.lacuna.ui.places.recording;

import static dev.lacuna.ui.fakes.FxWait.fx;
import static dev.lacuna.ui.fakes.FxWait.waitFor;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.fakes.FakeExportFiles;
import dev.lacuna.ui.fakes.FakeRecordingFiles;
import dev.lacuna.ui.fakes.WindowExtension;
import dev.lacuna.ui.parts.SaveRequest;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel.State;
import dev.lacuna.ui.places.whatif.WhatIfPlace;
import dev.lacuna.ui.settings.Bookmark;
import dev.lacuna.ui.settings.OpenFile;
import dev.lacuna.ui.settings.UiSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javafx.scene.control.ButtonBase;
import javafx.scene.input.Clipboard;
import javafx.scene.input.KeyCode;
import javafx.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.Start;

/** What is open is named, remembered and found again, down to the moment; and what is drawn can be taken along. */
@Tag("ui")
@ExtendWith(WindowExtension.class)
class MomentsUiTest {
    private static final String ONE = "/runs/one.trace";
    private static final String OTHER = "/runs/other.trace";

    private RecordingWindow window;

    @Start
    void open(Stage stage) throws IOException {
        FakeRecordingFiles files = new FakeRecordingFiles();
        files.with(ONE, files.example()).with(OTHER, files.example());
        window = new RecordingWindow(stage, files, 1280, 800);
    }

    @AfterEach
    void close() {
        window.close();
    }

    private UiSettings settings() {
        return window.fixture.context.settings();
    }

    private List<Bookmark> bookmarks() {
        return settings().bookmarks().list();
    }

    private void show(String path) throws Exception {
        fx(() -> {
            window.model.open(path);
            return true;
        });
        waitFor(() -> isShown(path));
    }

    private boolean isShown(String path) {
        return window.model.stateProperty().get() == State.SHOWN
                && window.model.timelineProperty().get().isPresent()
                && window.model.wholePath().equals(Optional.of(path));
    }

    private static void fire(FxRobot robot, String button) throws Exception {
        fx(() -> {
            robot.lookup(button).queryAs(ButtonBase.class).fire();
            return true;
        });
    }

    @Test
    void a_moment_is_kept_named_found_again_and_removed(FxRobot robot) throws Exception {
        show(ONE);
        fx(() -> {
            window.model.focus().momentProperty().set(40);
            return true;
        });
        robot.press(KeyCode.CONTROL).type(KeyCode.D).release(KeyCode.CONTROL);
        waitFor(() -> robot.lookup(".bookmark-name").tryQuery().isPresent());
        robot.write("before the fall").type(KeyCode.ENTER);
        waitFor(() -> bookmarks().get(0).name().equals("before the fall"));
        fx(() -> {
            window.fixture.context.overlay().close();
            return true;
        });
        show(OTHER);
        robot.press(KeyCode.CONTROL).type(KeyCode.B).release(KeyCode.CONTROL);
        waitFor(() -> robot.lookup(".bookmark-go").tryQuery().isPresent());
        fire(robot, ".bookmark-go");
        waitFor(() -> isShown(ONE) && window.model.focus().momentProperty().get() == 40);
        assertThat(fx(() -> window.fixture.context.overlay().isShowing())).isFalse();
        robot.press(KeyCode.CONTROL).type(KeyCode.B).release(KeyCode.CONTROL);
        waitFor(() -> robot.lookup(".bookmark-remove").tryQuery().isPresent());
        fire(robot, ".bookmark-remove");
        assertThat(bookmarks()).isEmpty();
    }

    @Test
    void an_example_has_no_moment_to_keep(FxRobot robot) throws Exception {
        fx(() -> {
            window.model.openExample();
            return true;
        });
        waitFor(() -> window.model.stateProperty().get() == State.SHOWN);
        robot.press(KeyCode.CONTROL).type(KeyCode.D).release(KeyCode.CONTROL);
        waitFor(() -> !window.fixture.context.notices().notices().isEmpty());
        assertThat(bookmarks()).isEmpty();
    }

    @Test
    void what_is_open_is_remembered_and_opened_again_without_coming_to_the_front() throws Exception {
        fx(() -> {
            window.main.rememberWhatIsOpen();
            return true;
        });
        show(ONE);
        assertThat(settings().leftProperty().get().files()).containsExactly(new OpenFile("snapshot", "", ONE));
        fx(() -> {
            window.fixture.context.navigator().show(WhatIfPlace.ID);
            window.main.reopen(
                    List.of(new OpenFile("snapshot", "", OTHER), new OpenFile("a place of tomorrow", "", "/runs/x")));
            return true;
        });
        waitFor(() -> isShown(OTHER));
        assertThat(window.fixture.context.navigator().currentProperty().get()).isEqualTo(WhatIfPlace.ID);
        assertThat(settings().leftProperty().get().files()).containsExactly(new OpenFile("snapshot", "", OTHER));
    }

    @Test
    void the_window_is_called_after_the_file_first() throws Exception {
        assertThat(window.fixture.stage.getTitle()).isEqualTo("Lacuna");
        show(ONE);
        assertThat(window.fixture.stage.getTitle()).isEqualTo("one.trace – Lacuna");
        fx(() -> {
            window.model.close();
            return true;
        });
        assertThat(window.fixture.stage.getTitle()).isEqualTo("Lacuna");
    }

    @Test
    void a_chart_gives_its_picture_and_its_figures(FxRobot robot) throws Exception {
        show(ONE);
        List<SaveRequest> asked = new ArrayList<>();
        fx(() -> {
            window.fixture.stage.getScene().getRoot().addEventHandler(SaveRequest.SAVE, asked::add);
            return true;
        });
        robot.rightClickOn("#timeline-moment").clickOn("Copy as CSV");
        waitFor(() -> String.valueOf(Clipboard.getSystemClipboard().getString()).startsWith("moment,reserved_bytes"));
        robot.rightClickOn("#timeline-moment").clickOn("Copy the picture");
        waitFor(() -> Clipboard.getSystemClipboard().hasImage());
        robot.rightClickOn("#timeline-moment").clickOn("Save the figures (CSV)…");
        waitFor(() -> asked.size() == 1);
        assertThat(asked.get(0).name()).isEqualTo("lacuna-timeline.csv");
        assertThat(saved(asked.get(0))).startsWith("moment,reserved_bytes");
        robot.rightClickOn("#timeline-moment").clickOn("Save the picture (PNG)…");
        waitFor(() -> asked.size() == 2);
        assertThat(asked.get(1).name()).isEqualTo("lacuna-timeline.png");
        assertThat(saved(asked.get(1))).matches("\\d{3,}x\\d{3}");
    }

    private static String saved(SaveRequest request) throws Exception {
        return new String(request.content(new FakeExportFiles()).call(), StandardCharsets.UTF_8);
    }
}
