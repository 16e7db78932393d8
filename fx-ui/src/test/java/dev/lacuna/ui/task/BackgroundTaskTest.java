package dev.lacuna.ui.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BackgroundTaskTest {
    private final List<String> reported = new ArrayList<>();
    private final CurrentThreadTaskExecutor executor = new CurrentThreadTaskExecutor();

    private <T> BackgroundTask<T> listening(BackgroundTask<T> task) {
        return task.onRunning(() -> reported.add("running"))
                .onProgress(share -> reported.add("progress " + share))
                .onSuccess(result -> reported.add("success " + result))
                .onFailure(fault -> reported.add("failure " + fault.getMessage()))
                .onFinished(() -> reported.add("finished"));
    }

    @Test
    void tells_of_a_result() {
        executor.execute(listening(BackgroundTask.controlled(control -> {
            control.progress(0.5);
            return 42;
        })));
        assertThat(reported).containsExactly("running", "progress 0.5", "success 42", "finished");
    }

    @Test
    void tells_of_a_failure() {
        executor.execute(listening(BackgroundTask.of(() -> {
            throw new IOException("disk full");
        })));
        assertThat(reported).containsExactly("running", "failure disk full", "finished");
    }

    @Test
    void tells_of_the_end_even_when_the_work_ends_in_an_error() {
        BackgroundTask<Object> task = listening(BackgroundTask.of(() -> {
            throw new StackOverflowError("too deep");
        }));
        assertThatThrownBy(() -> executor.execute(task)).isInstanceOf(StackOverflowError.class);
        assertThat(reported).containsExactly("running", "failure java.lang.StackOverflowError: too deep", "finished");
    }

    @Test
    void keeps_silent_about_the_result_of_cancelled_work() {
        BackgroundTask<String> task = listening(BackgroundTask.controlled(control -> "late"));
        task.onRunning(task::cancel);
        executor.execute(task);
        assertThat(reported).containsExactly("finished");
    }

    @Test
    void interrupts_work_that_waits_when_it_is_cancelled() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        BackgroundTask<String> task = BackgroundTask.controlled(control -> {
            started.countDown();
            new CountDownLatch(1).await();
            return "never";
        });
        task.onSuccess(result -> reported.add(result)).onFinished(ended::countDown);
        try (FxTaskExecutor threads = new FxTaskExecutor(Runnable::run)) {
            threads.execute(task);
            started.await();
            task.cancel();
            assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(reported).isEmpty();
    }

    @Test
    void repeats_a_task_until_it_is_stopped() throws Exception {
        CountDownLatch thrice = new CountDownLatch(3);
        try (FxTaskExecutor threads = new FxTaskExecutor(Runnable::run)) {
            TaskExecutor.Running running = threads.every(
                    java.time.Duration.ofMillis(1),
                    () -> BackgroundTask.of(() -> 1).onSuccess(one -> thrice.countDown()));
            assertThat(thrice.await(30, TimeUnit.SECONDS)).isTrue();
            running.stop();
        }
    }
}
