package dev.lacuna.ui.task;

import java.time.Duration;
import java.util.function.Supplier;

/** Runs work off the UI thread. */
public interface TaskExecutor {
    /** Something that goes on until it is stopped. */
    @FunctionalInterface
    interface Running {
        /** Stops it; harmless when it has ended. */
        void stop();
    }

    /** Runs this task soon. */
    <T> void execute(BackgroundTask<T> task);

    /** Runs this on the UI thread after a delay, once. */
    Running after(Duration delay, Runnable onUi);

    /** Runs a new task from this supplier now and then each time the period has passed since the last one ended. */
    Running every(Duration period, Supplier<? extends BackgroundTask<?>> tasks);
}
