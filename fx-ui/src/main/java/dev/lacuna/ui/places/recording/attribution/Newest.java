package dev.lacuna.ui.places.recording.attribution;

import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * Answers the newest of many questions: one is worked on at a time, and those that were overtaken meanwhile are never begun.
 * The cursor may run faster than trees can be added up; the last moment is always shown. UI thread only.
 *
 * @param <T> the kind of answer
 */
final class Newest<T> {
    private final TaskExecutor executor;
    private final Consumer<T> onAnswer;
    private final Consumer<Exception> onFailure;
    private Optional<Callable<T>> waiting = Optional.empty();
    private boolean busy;
    private int outdated;

    Newest(TaskExecutor executor, Consumer<T> onAnswer, Consumer<Exception> onFailure) {
        this.executor = executor;
        this.onAnswer = onAnswer;
        this.onFailure = onFailure;
    }

    /** Asks; an earlier question that has not begun is dropped. */
    void ask(Callable<T> question) {
        waiting = Optional.of(question);
        next();
    }

    /** Drops what waits, and the answer to what is being worked on. */
    void forget() {
        waiting = Optional.empty();
        outdated++;
    }

    private void next() {
        if (busy || waiting.isEmpty()) {
            return;
        }
        Callable<T> question = waiting.get();
        waiting = Optional.empty();
        busy = true;
        int asked = outdated;
        executor.execute(BackgroundTask.of(question)
                .onSuccess(answer -> {
                    if (asked == outdated) {
                        onAnswer.accept(answer);
                    }
                })
                .onFailure(onFailure)
                .onFinished(() -> {
                    busy = false;
                    next();
                }));
    }
}
