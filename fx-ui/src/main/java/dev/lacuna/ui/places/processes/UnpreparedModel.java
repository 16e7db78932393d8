package dev.lacuna.ui.places.processes;

import dev.lacuna.bridge.Attacher;
import dev.lacuna.bridge.Attacher.Outcome;
import dev.lacuna.bridge.FoundProcess;
import dev.lacuna.bridge.Obstacle;
import dev.lacuna.ui.session.FaultText;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import dev.lacuna.ui.task.UiScheduler;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Notices;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;

/** Processes that train and were not prepared: found by {@link ProcessSurvey}, attached when the operator says so. UI thread only. */
public final class UnpreparedModel {
    private static final Texts TEXTS = Texts.of("processes");

    /** What is needed to attach. */
    public record Machine(Attacher attacher, AttachQuestion question) {}

    /**
     * One that is being attached.
     *
     * @param seconds how long its main thread has not come by; 0 at first
     */
    public record Pending(long pid, long seconds) {}

    private final Machine machine;
    private final Session session;
    private final TaskExecutor executor;
    private final UiScheduler ui;
    private final Notices notices;
    private final Runnable showAttached;
    private final ObservableList<FoundProcess> found = FXCollections.observableArrayList();
    private final ObservableList<FoundProcess> foundView = FXCollections.unmodifiableObservableList(found);
    private final ReadOnlyObjectWrapper<Optional<Pending>> pending = new ReadOnlyObjectWrapper<>(Optional.empty());

    /**
     * Nothing was found yet.
     *
     * @param showAttached leads to where the attached process is shown
     */
    public UnpreparedModel(
            Machine machine,
            Session session,
            TaskExecutor executor,
            UiScheduler ui,
            Notices notices,
            Runnable showAttached) {
        this.machine = machine;
        this.session = session;
        this.executor = executor;
        this.ui = ui;
        this.notices = notices;
        this.showAttached = showAttached;
    }

    /** Those that were found, what can be attached first. */
    public ObservableList<FoundProcess> found() {
        return foundView;
    }

    /** The one that is being attached. */
    public ReadOnlyObjectProperty<Optional<Pending>> pendingProperty() {
        return pending.getReadOnlyProperty();
    }

    /** Takes over what a look has found. */
    void take(List<FoundProcess> seen) {
        List<FoundProcess> now =
                seen.stream().filter(process -> !isPrepared(process)).toList();
        if (!found.equals(now)) {
            found.setAll(now);
        }
    }

    /** Whether {@link #attach} does anything. */
    boolean canAttach(FoundProcess process) {
        return process.obstacle().isEmpty() && pending.get().isEmpty();
    }

    /** Asks the operator, attaches, and leads to where it is shown. */
    public void attach(FoundProcess process) {
        if (!canAttach(process)) {
            return;
        }
        machine.question().ask(process).thenAccept(yes -> {
            if (yes && canAttach(process)) {
                begin(process);
            }
        });
    }

    private void begin(FoundProcess process) {
        pending.set(Optional.of(new Pending(process.pid(), 0)));
        executor.execute(BackgroundTask.of(() -> machine.attacher().attach(process, since -> waiting(process, since)))
                .onSuccess(outcome -> ended(process, outcome))
                .onFailure(fault -> failed(process, FaultText.of(fault))));
    }

    private void waiting(FoundProcess process, Duration since) {
        ui.onUi(() -> {
            if (pending.get().isPresent()) {
                pending.set(Optional.of(new Pending(process.pid(), since.toSeconds())));
            }
        });
    }

    private void ended(FoundProcess process, Outcome outcome) {
        if (outcome instanceof Outcome.Refused refused) {
            failed(process, refused.why().text(Texts.locale()));
            return;
        }
        pending.set(Optional.empty());
        session.attach(((Outcome.Attached) outcome).process()).whenComplete((attached, fault) -> {
            if (fault == null) {
                showAttached.run();
            } else {
                failed(process, FaultText.of(fault));
            }
        });
    }

    private void failed(FoundProcess process, String why) {
        pending.set(Optional.empty());
        notices.fail(TEXTS.get("attach.failed", Long.toString(process.pid())), why);
    }

    /** One that carries an agent and has not shown itself yet is no process without one. */
    private static boolean isPrepared(FoundProcess found) {
        return found.obstacle()
                .filter(obstacle -> obstacle.kind() == Obstacle.Kind.PREPARED)
                .isPresent();
    }
}
