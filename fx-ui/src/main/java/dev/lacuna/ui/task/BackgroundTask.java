package dev.lacuna.ui.task;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;

/**
 * A piece of work that must not hold up the screen, and what the screen does before, while and after. The work runs on
 * a thread of a {@link TaskExecutor}; every {@code on…} callback runs on the UI thread. Started at most once.
 *
 * @param <T> what the work yields
 */
public final class BackgroundTask<T> {
    /**
     * The work itself.
     *
     * @param <T> what it yields
     */
    @FunctionalInterface
    public interface Work<T> {
        /** Does it; a long one reports progress and asks now and then whether it was cancelled. */
        T run(Control control) throws Exception;
    }

    /** What running work sees of its task. */
    public interface Control {
        /** Says how much is done, 0 to 1. */
        void progress(double share);

        /** Whether nobody waits for the result any more. */
        boolean cancelled();
    }

    private final Work<T> work;
    private Runnable onRunning = () -> {};
    private Consumer<? super T> onSuccess = result -> {};
    private Consumer<? super Exception> onFailure = fault -> {};
    private Runnable onFinished = () -> {};
    private DoubleConsumer onProgress = share -> {};
    private volatile boolean cancelled;
    private Thread worker;

    private BackgroundTask(Work<T> work) {
        this.work = work;
    }

    /** A task that does this. */
    public static <T> BackgroundTask<T> of(Callable<T> work) {
        return new BackgroundTask<>(control -> work.call());
    }

    /** A task that does this and knows its control. */
    public static <T> BackgroundTask<T> controlled(Work<T> work) {
        return new BackgroundTask<>(work);
    }

    /** Before the work starts. */
    public BackgroundTask<T> onRunning(Runnable action) {
        onRunning = action;
        return this;
    }

    /** When it has yielded its result and was not cancelled. */
    public BackgroundTask<T> onSuccess(Consumer<? super T> action) {
        onSuccess = action;
        return this;
    }

    /** When it has failed and was not cancelled. */
    public BackgroundTask<T> onFailure(Consumer<? super Exception> action) {
        onFailure = action;
        return this;
    }

    /** When it is over, whichever way, cancelled too; after the other callbacks. */
    public BackgroundTask<T> onFinished(Runnable action) {
        onFinished = action;
        return this;
    }

    /** When the work says how much is done, 0 to 1. */
    public BackgroundTask<T> onProgress(DoubleConsumer action) {
        onProgress = action;
        return this;
    }

    /** Gives up on the result: the work is interrupted, and neither success nor failure is called. */
    public void cancel() {
        cancelled = true;
        synchronized (this) {
            if (worker != null) {
                worker.interrupt();
            }
        }
    }

    /** Whether it was cancelled. */
    public boolean cancelled() {
        return cancelled;
    }

    /** Runs the work on the calling thread and its callbacks on the UI thread; for executors. */
    public void run(UiScheduler ui) {
        if (cancelled) {
            ui.onUi(onFinished);
            return;
        }
        ui.onUi(onRunning);
        try {
            T result = work(ui);
            ui.onUi(() -> finish(() -> onSuccess.accept(result)));
        } catch (InterruptedException fault) {
            ui.onUi(() -> finish(() -> onFailure.accept(fault)));
        } catch (Exception fault) {
            ui.onUi(() -> finish(() -> onFailure.accept(fault)));
        } catch (Error fault) {
            // Whoever waits for the end must hear of it; the thread's handler reports the fault itself.
            ui.onUi(() -> finish(() -> onFailure.accept(new ExecutionException(fault))));
            throw fault;
        }
    }

    private T work(UiScheduler ui) throws Exception {
        synchronized (this) {
            worker = Thread.currentThread();
        }
        try {
            return work.run(new Control() {
                @Override
                public void progress(double share) {
                    ui.onUi(() -> onProgress.accept(share));
                }

                @Override
                public boolean cancelled() {
                    return cancelled;
                }
            });
        } finally {
            synchronized (this) {
                worker = null;
                // A late interrupt must not hit the next task of this thread.
                if (cancelled) {
                    Thread.interrupted();
                }
            }
        }
    }

    private void finish(Runnable outcome) {
        try {
            if (!cancelled) {
                outcome.run();
            }
        } finally {
            onFinished.run();
        }
    }
}
