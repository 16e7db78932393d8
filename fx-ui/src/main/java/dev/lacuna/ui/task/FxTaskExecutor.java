package dev.lacuna.ui.task;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Worker threads (daemons, made on demand) whose results come back to the UI thread. */
public final class FxTaskExecutor implements TaskExecutor, AutoCloseable {
    private final UiScheduler ui;
    private final ExecutorService workers = Executors.newCachedThreadPool(named("lacuna-work-"));
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(named("lacuna-clock-"));

    public FxTaskExecutor(UiScheduler ui) {
        this.ui = ui;
    }

    @Override
    public <T> void execute(BackgroundTask<T> task) {
        try {
            workers.execute(() -> task.run(ui));
        } catch (RejectedExecutionException closing) {
            task.cancel();
        }
    }

    @Override
    public Running after(Duration delay, Runnable onUi) {
        try {
            Future<?> due = clock.schedule(() -> ui.onUi(onUi), delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> due.cancel(false);
        } catch (RejectedExecutionException closing) {
            return () -> {};
        }
    }

    @Override
    public Running every(Duration period, Supplier<? extends BackgroundTask<?>> tasks) {
        Repetition repetition = new Repetition(period, tasks);
        repetition.next();
        return repetition;
    }

    /** Stops taking work, interrupts what runs. */
    @Override
    public void close() {
        clock.shutdownNow();
        workers.shutdownNow();
    }

    private static ThreadFactory named(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return work -> {
            Thread thread = new Thread(work, prefix + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    private final class Repetition implements Running {
        private final Duration period;
        private final Supplier<? extends BackgroundTask<?>> tasks;
        private volatile boolean stopped;

        Repetition(Duration period, Supplier<? extends BackgroundTask<?>> tasks) {
            this.period = period;
            this.tasks = tasks;
        }

        @Override
        public void stop() {
            stopped = true;
        }

        void next() {
            try {
                workers.execute(this::once);
            } catch (RejectedExecutionException closing) {
                stopped = true;
            }
        }

        private void once() {
            if (stopped) {
                return;
            }
            tasks.get().run(ui);
            try {
                clock.schedule(this::next, period.toNanos(), TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException closing) {
                stopped = true;
            }
        }
    }
}
