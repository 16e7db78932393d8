package dev.lacuna.ui.session;

import dev.lacuna.bridge.Sample;
import dev.lacuna.ui.task.TaskExecutor;
import dev.lacuna.ui.task.UiScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Carries samples from the bridge's thread to the UI thread: every one, in order, in one of the screen's turns.
 * When the UI thread is late the samples wait here and come in one turn, so that no event and no peak is lost.
 */
final class SampleQueue {
    private final UiScheduler ui;
    private final TaskExecutor executor;
    private final Consumer<List<Sample>> onUi;
    private List<Sample> waiting = new ArrayList<>();
    private boolean turnIsDue;
    private boolean closed;

    SampleQueue(UiScheduler ui, TaskExecutor executor, Consumer<List<Sample>> onUi) {
        this.ui = ui;
        this.executor = executor;
        this.onUi = onUi;
    }

    /** From any thread. */
    void offer(Sample sample) {
        synchronized (this) {
            if (closed) {
                return;
            }
            waiting.add(sample);
            if (turnIsDue) {
                return;
            }
            turnIsDue = true;
        }
        ui.onUi(this::turn);
    }

    /** Nothing is delivered after this. */
    synchronized void close() {
        closed = true;
        waiting = List.of();
    }

    private void turn() {
        List<Sample> batch;
        synchronized (this) {
            if (waiting.isEmpty() || closed) {
                turnIsDue = false;
                return;
            }
            batch = waiting;
            waiting = new ArrayList<>();
        }
        executor.after(ui.turn(), this::turn);
        onUi.accept(batch);
    }
}
