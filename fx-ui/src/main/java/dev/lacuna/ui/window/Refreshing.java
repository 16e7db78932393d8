package dev.lacuna.ui.window;

import dev.lacuna.ui.task.TaskExecutor;
import java.time.Duration;

/** Shows changing figures anew while a place is seen. UI thread only. */
public final class Refreshing {
    /** Five times a second: as fast as changing figures can be read. */
    private static final Duration PACE = Duration.ofMillis(200);

    private final TaskExecutor executor;
    private final Runnable refresh;
    private TaskExecutor.Running next = () -> {};

    /** @param refresh shows what is now */
    public Refreshing(TaskExecutor executor, Runnable refresh) {
        this.executor = executor;
        this.refresh = refresh;
    }

    /** Refreshes now and goes on. */
    public void start() {
        next.stop();
        tick();
    }

    /** Refreshes no more. */
    public void stop() {
        next.stop();
    }

    private void tick() {
        refresh.run();
        next = executor.after(PACE, this::tick);
    }
}
