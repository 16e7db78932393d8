package dev.lacuna.ui.places.processes;

import dev.lacuna.bridge.FoundProcess;
import dev.lacuna.ui.session.FaultText;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Notices;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;

/** Finds training processes while its place is in front, and attaches to the one that is chosen. */
public final class ProcessesViewModel {
    private static final Texts TEXTS = Texts.of("processes");
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final Session session;
    private final TaskExecutor executor;
    private final Notices notices;
    private final ProcessActions actions;
    private final ProcessSurvey survey;
    private final ObservableList<ProcessRow> living = FXCollections.observableArrayList();
    private final ObservableList<ProcessRow> blackBoxes = FXCollections.observableArrayList();
    /** Kept, because the view listens to its source weakly: one made per call would fall silent. */
    private final ObservableList<ProcessRow> livingView = FXCollections.unmodifiableObservableList(living);

    private final ObservableList<ProcessRow> blackBoxesView = FXCollections.unmodifiableObservableList(blackBoxes);
    private final ReadOnlyBooleanWrapper looked = new ReadOnlyBooleanWrapper();
    private final ReadOnlyStringWrapper problem = new ReadOnlyStringWrapper("");
    private Consumer<List<FoundProcess>> onUnprepared = found -> {};
    private TaskExecutor.Running polling = () -> {};

    public ProcessesViewModel(
            ProcessSurvey survey, Session session, TaskExecutor executor, Notices notices, ProcessActions actions) {
        this.survey = survey;
        this.session = session;
        this.executor = executor;
        this.notices = notices;
        this.actions = actions;
    }

    /** Processes that train now, newest first, and behind them what was split off from others. */
    public ObservableList<ProcessRow> living() {
        return livingView;
    }

    /** Processes that have ended and left a black box, newest first. */
    public ObservableList<ProcessRow> blackBoxes() {
        return blackBoxesView;
    }

    /** Tells this of what each look finds that was not prepared. */
    void onUnprepared(Consumer<List<FoundProcess>> listener) {
        onUnprepared = listener;
    }

    /** Whether the first look is done; before it, an empty list says nothing. */
    public ReadOnlyBooleanProperty lookedProperty() {
        return looked.getReadOnlyProperty();
    }

    /** Why processes cannot be found, or empty. */
    public ReadOnlyStringProperty problemProperty() {
        return problem.getReadOnlyProperty();
    }

    /** The attached process. */
    public Session session() {
        return session;
    }

    /** Looks now and every second. */
    public void start() {
        polling.stop();
        polling = executor.every(
                PERIOD,
                () -> BackgroundTask.of(survey::look).onSuccess(this::show).onFailure(this::explain));
    }

    /** Stops looking and lets go of what was open. */
    public void stop() {
        polling.stop();
        executor.execute(BackgroundTask.of(() -> {
            survey.close();
            return true;
        }));
    }

    /** Attaches to it, living or dead, and leads to where it is shown; a dead one as it was at its end. */
    public void attach(ProcessRow row) {
        if (isAttached(row)) {
            actions.showAttached();
            return;
        }
        session.attach(row.process()).whenComplete((process, fault) -> {
            if (fault == null) {
                actions.showAttached();
            } else {
                notices.fail(TEXTS.get("attach.failed", row.process().id().toString()), FaultText.of(fault));
            }
        });
    }

    /** Whether this one is attached. */
    public boolean isAttached(ProcessRow row) {
        return session.attachedProperty().get().filter(row::isProcess).isPresent();
    }

    /** Diagnoses the last out-of-memory message of a dead one; does nothing where it left none. */
    public void diagnose(ProcessRow row) {
        row.lastOutOfMemory()
                .ifPresent(message -> actions.diagnose(
                        TEXTS.get(
                                "source.blackBox",
                                row.process().command(),
                                row.process().id().toString()),
                        message));
    }

    /** Asks for a file and shows it. */
    public void openFile() {
        actions.openFile();
    }

    /** Diagnoses the log on the clipboard. */
    public void pasteLog() {
        actions.pasteLog();
    }

    /** Starts a training process to look at. */
    public void startDemo() {
        actions.startDemo();
    }

    private void show(ProcessSurvey.Found found) {
        problem.set("");
        update(living, found.living());
        update(blackBoxes, found.blackBoxes());
        onUnprepared.accept(found.unprepared());
        looked.set(true);
    }

    private void explain(Exception fault) {
        problem.set(FaultText.of(fault));
        looked.set(true);
    }

    /** Replaces row by row, so that what is selected stays selected as long as it is there. */
    private static void update(ObservableList<ProcessRow> shown, List<ProcessRow> now) {
        shown.removeIf(row -> now.stream().noneMatch(row::isSameProcess));
        for (int i = 0; i < now.size(); i++) {
            ProcessRow row = now.get(i);
            if (i < shown.size() && shown.get(i).isSameProcess(row)) {
                if (!shown.get(i).equals(row)) {
                    shown.set(i, row);
                }
            } else {
                shown.removeIf(row::isSameProcess);
                shown.add(Math.min(i, shown.size()), row);
            }
        }
    }
}
