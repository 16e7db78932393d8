package dev.lacuna.ui.places.recording.focus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.history.agent.AgentHistory;
import dev.lacuna.core.history.build.LoadRange;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.ui.fakes.FakeRecordingFiles;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel.State;
import dev.lacuna.ui.settings.StoredSettings;
import dev.lacuna.ui.settings.UiSettings;
import dev.lacuna.ui.task.CurrentThreadTaskExecutor;
import dev.lacuna.ui.text.FileFault;
import dev.lacuna.ui.text.Language;
import dev.lacuna.ui.text.Texts;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecordingViewModelTest {
    private final CurrentThreadTaskExecutor executor = new CurrentThreadTaskExecutor();
    private final UiSettings settings = new UiSettings(StoredSettings.DEFAULTS);
    private final List<Optional<LoadRange>> asked = new ArrayList<>();
    private final RecordingViewModel model =
            new RecordingViewModel(executor, settings.recentTraces(), new RecordingFiles() {
                @Override
                public void look(String path) throws IOException {
                    if (path.contains("picture")) {
                        throw new FileSystemException(path);
                    }
                }

                @Override
                public Recording open(String path, OpenRequest request) throws IOException {
                    asked.add(request.range());
                    if (path.contains("missing")) {
                        throw new NoSuchFileException(path);
                    }
                    if (path.contains("two")) {
                        return twoDevices(path, request.range().isPresent() ? 1 : 9);
                    }
                    return path.contains("hollow")
                            ? new Recording(path, "", false, List.of(), List.of(), Optional.empty(), List.of())
                            : example();
                }

                @Override
                public Recording example() throws IOException {
                    return new FakeRecordingFiles().example();
                }
            });

    @BeforeEach
    @AfterEach
    void speak_english() {
        Texts.languageProperty().unbind();
        Texts.languageProperty().set(Language.ENGLISH);
    }

    @Test
    void looks_at_the_last_moment_of_what_it_opened() {
        model.open("/runs/a.pickle");
        assertThat(model.stateProperty().get()).isEqualTo(State.SHOWN);
        int size = model.deviceProperty().get().orElseThrow().size();
        assertThat(model.timelineProperty().get().orElseThrow().size()).isEqualTo(size);
        assertThat(model.focus().momentProperty().get()).isEqualTo(size).isPositive();
        assertThat(model.focus().hasRange()).isFalse();
        assertThat(model.recentRecordings()).containsExactly("/runs/a.pickle");
    }

    @Test
    void says_why_a_file_cannot_be_shown_in_the_language_of_the_window() {
        model.open("/runs/missing.pickle");
        assertThat(model.stateProperty().get()).isEqualTo(State.FAILED);
        assertThat(model.recentRecordings()).isEmpty();
        assertThat(model.faultProperty().get()).contains("no such file");
        Texts.languageProperty().set(Language.CHINESE);
        assertThat(model.faultProperty().get()).contains("不存在");
        model.close();
        assertThat(model.stateProperty().get()).isEqualTo(State.EMPTY);
    }

    @Test
    void what_is_no_recording_leaves_the_one_that_is_open_and_enters_no_list() {
        List<String> kept = new ArrayList<>();
        model.whenKept((name, why) -> kept.add(name + ": " + why));
        model.open("/runs/a.pickle");
        Recording before = model.recordingProperty().get().orElseThrow();
        model.focus().momentProperty().set(7);
        model.open("/runs/picture.png");
        assertThat(model.stateProperty().get()).isEqualTo(State.SHOWN);
        assertThat(model.recordingProperty().get()).containsSame(before);
        assertThat(model.focus().momentProperty().get()).isEqualTo(7);
        assertThat(model.wholePath()).contains("/runs/a.pickle");
        assertThat(model.recentRecordings()).containsExactly("/runs/a.pickle");
        assertThat(kept)
                .singleElement()
                .asString()
                .startsWith("picture.png cannot be opened; what was open stays: This is not a file");
    }

    @Test
    void says_of_a_whole_file_that_holds_nothing_that_it_is_empty() {
        model.open("/runs/hollow.pickle");
        assertThat(model.stateProperty().get()).isEqualTo(State.HOLLOW);
        assertThat(model.deviceProperty().get()).isEmpty();
    }

    @Test
    void offers_a_part_only_of_a_file_that_is_too_large() {
        model.open("/runs/missing.pickle");
        assertThat(model.tooLargeProperty().get()).isFalse();
        assertThat(FileFault.isTooLarge(new ExecutionException(new OutOfMemoryError())))
                .isTrue();
    }

    @Test
    void opens_only_the_selected_stretch_of_the_same_file() {
        model.open("/runs/a.pickle");
        model.focus().rangeProperty().set(new EventRange(100, 250));
        model.openSelected();
        assertThat(asked).containsExactly(Optional.empty(), Optional.of(new LoadRange.Events(100, 250)));
        assertThat(model.wholePath()).isEmpty();
        model.focus().rangeProperty().set(new EventRange(10, 20));
        model.openSelected();
        assertThat(asked.get(2)).contains(new LoadRange.Events(110, 120));
        model.openAll();
        assertThat(asked.get(3)).isEmpty();
        assertThat(model.wholePath()).contains("/runs/a.pickle");
    }

    @Test
    void more_or_less_of_a_file_is_about_the_device_that_was_looked_at() {
        model.open("/runs/two.pickle");
        assertThat(shownDevice()).as("the busiest").isZero();
        model.choose(model.recordingProperty().get().orElseThrow().devices().get(1));
        model.focus().rangeProperty().set(new EventRange(1, 3));
        model.openSelected();
        assertThat(shownDevice()).isEqualTo(1);
        model.openAll();
        assertThat(shownDevice()).isEqualTo(1);
        model.open("/runs/two-others.pickle");
        assertThat(shownDevice()).isZero();
    }

    private int shownDevice() {
        return model.deviceProperty().get().orElseThrow().device();
    }

    /** Device 0 has this many pairs of events, device 1 two. */
    private static Recording twoDevices(String source, int pairs) {
        return AgentHistory.recording(source, "made", List.of(made(0, pairs), made(1, 2)));
    }

    private static AgentHistory.Result made(int device, int pairs) {
        AgentHistory reported = new AgentHistory(device);
        int pool = PoolName.STOCK_LARGE.ordinal();
        reported.add(EventKind.GROW, 1, 1L << 40, 1 << 21, pool, 0);
        for (int i = 0; i < pairs; i++) {
            reported.add(EventKind.ALLOC, 2 + 2 * i, 1L << 40, 1 << 20, pool, 0);
            reported.add(EventKind.FREE, 3 + 2 * i, 1L << 40, 1 << 20, pool, 0);
        }
        return reported.build(OpenRequest.ALL);
    }

    @Test
    void forgets_a_reading_that_was_cancelled() {
        executor.hold();
        model.open("/runs/a.pickle");
        assertThat(model.stateProperty().get()).isEqualTo(State.READING);
        model.cancel();
        executor.release();
        assertThat(model.stateProperty().get()).isEqualTo(State.EMPTY);
        assertThat(model.recordingProperty().get()).isEmpty();
    }

    @Test
    void keeps_the_moment_within_the_recording() {
        model.openExample();
        int size = model.focus().size();
        model.focus().momentProperty().set(size + 5);
        assertThat(model.focus().momentProperty().get()).isEqualTo(size);
        model.focus().momentProperty().set(-3);
        assertThat(model.focus().momentProperty().get()).isZero();
    }
}
