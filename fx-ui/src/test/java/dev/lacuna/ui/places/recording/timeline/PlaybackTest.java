package dev.lacuna.ui.places.recording.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.fakes.FakeRecordingFiles;
import dev.lacuna.ui.places.recording.focus.EventRange;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel;
import dev.lacuna.ui.settings.StoredSettings;
import dev.lacuna.ui.settings.UiSettings;
import dev.lacuna.ui.task.CurrentThreadTaskExecutor;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PlaybackTest {
    private final CurrentThreadTaskExecutor executor = new CurrentThreadTaskExecutor();
    private final RecordingViewModel model = new RecordingViewModel(
            executor, new UiSettings(StoredSettings.DEFAULTS).recentTraces(), new FakeRecordingFiles());
    private final Playback playback = new Playback(model.focus(), executor);

    @BeforeEach
    void open() {
        model.openExample();
        playback.speedProperty().set(1_000);
    }

    private int moment() {
        return model.focus().momentProperty().get();
    }

    @Test
    void moves_as_many_events_a_second_as_were_chosen() {
        model.focus().momentProperty().set(100);
        playback.toggle();
        executor.pass(Duration.ofMillis(330));
        assertThat(moment()).isEqualTo(430);
        playback.toggle();
        executor.pass(Duration.ofSeconds(1));
        assertThat(moment()).isEqualTo(430);
    }

    @Test
    void begins_anew_where_the_end_is_reached_and_stops_there() {
        model.focus().rangeProperty().set(new EventRange(10, 60));
        model.focus().momentProperty().set(60);
        playback.toggle();
        assertThat(moment()).isEqualTo(10);
        executor.pass(Duration.ofSeconds(1));
        assertThat(moment()).isEqualTo(60);
        assertThat(playback.playingProperty().get()).isFalse();
    }

    @Test
    void gives_way_to_a_hand_that_moves_the_moment() {
        model.focus().momentProperty().set(0);
        playback.toggle();
        executor.pass(Duration.ofMillis(100));
        model.focus().momentProperty().set(5);
        executor.pass(Duration.ofSeconds(1));
        assertThat(moment()).isEqualTo(5);
        assertThat(playback.playingProperty().get()).isFalse();
    }
}
