package dev.lacuna.ui.task;

/** The way to the thread that owns the screen. */
@FunctionalInterface
public interface UiScheduler {
    /** Runs this on the UI thread: now if the caller is on it, else soon and in the order of calls. */
    void onUi(Runnable action);
}
