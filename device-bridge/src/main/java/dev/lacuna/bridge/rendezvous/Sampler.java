package dev.lacuna.bridge.rendezvous;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The one clock behind all subscriptions: a daemon thread that ticks, and daemon threads that work, so that a listener
 * that takes its time delays only itself (it misses ticks, it does not pile them up).
 */
final class Sampler {
    /** The clock of this program. */
    static final Sampler SHARED = new Sampler();

    private static final long IDLE_SECONDS = 10;

    private final ScheduledThreadPoolExecutor clock;
    private final Executor workers;

    Sampler() {
        clock = new ScheduledThreadPoolExecutor(1, daemons("lacuna-clock"));
        clock.setRemoveOnCancelPolicy(true);
        workers = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                daemons("lacuna-sampler"));
    }

    /** Runs the task once, soon, beside the others. */
    void soon(Runnable task) {
        workers.execute(task);
    }

    /** Runs the task now and then at this interval, never twice at once, until the result is cancelled. */
    Future<?> every(Duration interval, Runnable task) {
        AtomicBoolean busy = new AtomicBoolean();
        Runnable once = () -> {
            try {
                task.run();
            } finally {
                busy.set(false);
            }
        };
        Runnable tick = () -> {
            if (busy.compareAndSet(false, true)) {
                workers.execute(once);
            }
        };
        return clock.scheduleAtFixedRate(tick, 0, interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static ThreadFactory daemons(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
