package dev.lacuna.ui.session;

import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.SampleListener;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.TrainingProcesses;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import dev.lacuna.ui.task.UiScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The reading of one process: everything that ends when the window lets go of it. */
final class Reading implements SampleListener {
    /** 20 samples a second: smooth to the eye, twice what the issue asks for. */
    private static final Duration INTERVAL = Duration.ofMillis(50);

    private static final Duration WATCH = Duration.ofSeconds(1);

    /** Whom it tells; on the UI thread. */
    interface Listener {
        /** Samples came, oldest first; at least one. */
        void samples(Reading from, List<Sample> batch);

        /** Nothing more will come. */
        void failed(Reading from, BridgeException fault);

        /** No sample has come for this long, which is worth saying so. */
        void silent(Duration silence);
    }

    private final TrainingProcess process;
    private final TaskExecutor executor;
    private final UiScheduler ui;
    private final Listener listener;
    private final SampleQueue queue;
    private Optional<AttachedProcess> opened = Optional.empty();
    private Optional<AutoCloseable> subscription = Optional.empty();
    private TaskExecutor.Running watch = () -> {};
    private Duration silence = Duration.ZERO;

    Reading(TrainingProcess process, TaskExecutor executor, UiScheduler ui, Listener listener) {
        this.process = process;
        this.executor = executor;
        this.ui = ui;
        this.listener = listener;
        queue = new SampleQueue(ui, executor, batch -> {
            silence = Duration.ZERO;
            listener.samples(this, batch);
        });
    }

    AttachedProcess open(TrainingProcesses from) throws BridgeException {
        return from.open(process);
    }

    AttachedProcess opened() {
        return opened.orElseThrow();
    }

    void start(AttachedProcess now) {
        opened = Optional.of(now);
        subscription = Optional.of(now.subscribe(INTERVAL, this));
        watch = executor.after(WATCH, this::lookForSilence);
    }

    @Override
    public void onSample(Sample sample) {
        queue.offer(sample);
    }

    @Override
    public void onFailure(BridgeException fault) {
        ui.onUi(() -> listener.failed(this, fault));
    }

    private void lookForSilence() {
        silence = silence.plus(WATCH);
        if (silence.compareTo(ConnectionState.STALE_AFTER) > 0) {
            listener.silent(silence);
        }
        watch = executor.after(WATCH, this::lookForSilence);
    }

    /** Closing may wait for the bridge's threads, so it happens off the UI thread. */
    void close() {
        queue.close();
        watch.stop();
        executor.execute(BackgroundTask.of(() -> {
            if (subscription.isPresent()) {
                subscription.get().close();
            }
            opened.ifPresent(AttachedProcess::close);
            return process;
        }));
    }
}
