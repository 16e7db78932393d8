package dev.lacuna.ui.places.recording.timeline;

import dev.lacuna.ui.places.recording.focus.RecordingFocus;
import dev.lacuna.ui.task.TaskExecutor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javafx.beans.property.IntegerProperty;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.SimpleIntegerProperty;

/** Moves the moment on by itself, event after event, to the end of the selected stretch. UI thread only. */
public final class Playback {
    /** Events a second that can be chosen. */
    static final List<Integer> SPEEDS = List.of(1, 10, 100, 1_000, 10_000, 100_000, 1_000_000);

    private static final int USUAL_SPEED = 100;

    /** As often as a picture is wanted. */
    private static final Duration TICK = Duration.ofMillis(33);

    private final RecordingFocus focus;
    private final TaskExecutor executor;
    private final ReadOnlyBooleanWrapper playing = new ReadOnlyBooleanWrapper();
    private final IntegerProperty speed = new SimpleIntegerProperty(USUAL_SPEED);
    private Optional<TaskExecutor.Running> next = Optional.empty();
    private double owed;
    private int expected;

    Playback(RecordingFocus focus, TaskExecutor executor) {
        this.focus = focus;
        this.executor = executor;
    }

    /** Whether the moment moves. */
    ReadOnlyBooleanProperty playingProperty() {
        return playing.getReadOnlyProperty();
    }

    /** Events a second. */
    IntegerProperty speedProperty() {
        return speed;
    }

    /** Starts, at the beginning of the stretch where its end is reached, or stops. */
    void toggle() {
        if (playing.get()) {
            stop();
            return;
        }
        if (focus.momentProperty().get() >= focus.rangeProperty().get().to()) {
            focus.momentProperty().set(focus.rangeProperty().get().from());
        }
        playing.set(focus.size() > 0);
        owed = 0;
        expected = focus.momentProperty().get();
        wait(TICK);
    }

    /** Stops where it is. */
    void stop() {
        playing.set(false);
        next.ifPresent(TaskExecutor.Running::stop);
        next = Optional.empty();
    }

    private void wait(Duration tick) {
        if (playing.get()) {
            next = Optional.of(executor.after(tick, this::go));
        }
    }

    private void go() {
        int now = focus.momentProperty().get();
        int end = focus.rangeProperty().get().to();
        // Somebody else moved the moment: that hand is to be followed, not fought.
        if (now != expected) {
            stop();
            return;
        }
        owed += speed.get() * TICK.toMillis() / 1000.0;
        int events = (int) owed;
        owed -= events;
        expected = Math.min(end, now + events);
        focus.momentProperty().set(expected);
        if (expected >= end) {
            stop();
        } else {
            wait(TICK);
        }
    }
}
