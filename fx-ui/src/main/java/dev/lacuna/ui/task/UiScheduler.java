package dev.lacuna.ui.task;

import java.time.Duration;

/** The way to the thread that owns the screen. */
@FunctionalInterface
public interface UiScheduler {
    /** Runs this on the UI thread: now if the caller is on it, else soon and in the order of calls. */
    void onUi(Runnable action);

    /** How long it takes at least from one change of what moves on the screen to the next: more than the eye needs costs processors. */
    default Duration turn() {
        return Duration.ofMillis(34);
    }
}
