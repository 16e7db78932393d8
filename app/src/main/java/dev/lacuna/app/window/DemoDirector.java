package dev.lacuna.app.window;

import dev.lacuna.app.demo.DemoOptions;
import dev.lacuna.app.demo.DemoSize;
import dev.lacuna.app.demo.DemoTrainer;
import dev.lacuna.app.demo.EndedEarlyException;
import dev.lacuna.app.demo.NoTorchException;
import dev.lacuna.app.demo.TooLittleMemoryException;
import dev.lacuna.bridge.Ending;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.TrainingProcesses;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.ui.places.live.LivePlace;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Navigator;
import dev.lacuna.ui.window.NoticeBoard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Starts demo trainers for the window, attaches to them, and ends them with it. */
final class DemoDirector implements AutoCloseable {
    private static final Texts TEXTS = Texts.of("app");

    private final TrainingProcesses processes;
    private final Session session;
    private final TaskExecutor executor;
    private final NoticeBoard notices;
    private final Navigator navigator;
    private final List<DemoTrainer> trainers = new ArrayList<>();
    private boolean starting;
    private String placeAtStart = "";
    private boolean closed;

    DemoDirector(
            TrainingProcesses processes,
            Session session,
            TaskExecutor executor,
            NoticeBoard notices,
            Navigator navigator) {
        this.processes = processes;
        this.session = session;
        this.executor = executor;
        this.notices = notices;
        this.navigator = navigator;
    }

    /** Starts one because the operator asked; a second click while one is starting does nothing. */
    void startNow() {
        if (!starting) {
            notices.inform(TEXTS.get("demo.asked"));
            start(DemoOptions.DEFAULTS);
        }
    }

    /** Starts one, attaches to it when its agent is there. UI thread. */
    void start(DemoOptions options) {
        if (starting) {
            return;
        }
        starting = true;
        placeAtStart = navigator.currentProperty().get();
        executor.execute(BackgroundTask.of(() -> DemoTrainer.start(options))
                .onSuccess(this::started)
                .onFailure(this::failed));
    }

    private void started(DemoTrainer trainer) {
        keep(trainer);
        executor.execute(BackgroundTask.of(() -> trainer.awaitAgent(processes))
                .onSuccess(process -> {
                    attach(process);
                    trainer.onExit()
                            .thenAccept(status -> executor.after(Duration.ZERO, () -> ended(trainer, process, status)));
                })
                .onFailure(this::failed));
    }

    /** Its parent knows its status and its last lines, which nobody else does: told unless it ended well or was ended by us. */
    private void ended(DemoTrainer trainer, TrainingProcess process, int status) {
        if (status != 0 && !isClosed()) {
            notices.fail(TEXTS.get("demo.over", process.id().toString(), how(status)), trainer.outputTail());
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized void keep(DemoTrainer trainer) {
        if (closed) {
            trainer.close();
        } else {
            trainers.add(trainer);
        }
    }

    private void attach(TrainingProcess process) {
        starting = false;
        session.attach(process).whenComplete((attached, fault) -> {
            if (fault == null) {
                showLiveUnlessBusyElsewhere();
            } else {
                notices.fault(TEXTS.get("demo.failed"), fault);
            }
        });
    }

    /** Somebody who went to another place while the demo started is reading there: nothing takes it from under them. */
    private void showLiveUnlessBusyElsewhere() {
        if (navigator.currentProperty().get().equals(placeAtStart)) {
            navigator.show(LivePlace.ID);
        }
    }

    private void failed(Throwable fault) {
        starting = false;
        if (fault instanceof NoTorchException) {
            notices.fail(TEXTS.get("demo.no.torch"), TEXTS.get("demo.no.torch.detail"));
        } else if (fault instanceof TooLittleMemoryException little) {
            notices.fail(
                    TEXTS.get("demo.failed"),
                    TEXTS.get(
                            "demo.memory",
                            ByteSize.format(little.freeBytes()),
                            ByteSize.format(DemoSize.LEAST_FREE_BYTES)));
        } else if (fault instanceof EndedEarlyException ended) {
            notices.fail(
                    TEXTS.get("demo.failed"), TEXTS.get("demo.ended", how(ended.status())) + "\n" + ended.output());
        } else {
            notices.fault(TEXTS.get("demo.failed"), fault);
        }
    }

    private static String how(int status) {
        return Ending.ofStatus(status, new Ending.Unknown()).text(Texts.locale());
    }

    /** Ends every trainer that was started here. Any thread; waits for them a few seconds at most. */
    @Override
    public synchronized void close() {
        closed = true;
        trainers.forEach(DemoTrainer::close);
        trainers.clear();
    }
}
