package dev.lacuna.ui.diagnose;

import dev.lacuna.bridge.Reply;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.diagnosis.CrossFinding;
import dev.lacuna.core.diagnosis.CrossFindings;
import dev.lacuna.core.diagnosis.Finding;
import dev.lacuna.core.diagnosis.JudgedLog;
import dev.lacuna.core.oom.OomLog;
import dev.lacuna.core.oom.OomLogReader;
import dev.lacuna.ui.session.AppliedChange;
import dev.lacuna.ui.session.FaultText;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.settings.UiSettings;
import dev.lacuna.ui.shell.Notices;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import dev.lacuna.ui.task.UiScheduler;
import dev.lacuna.ui.text.Texts;
import java.io.IOException;
import java.io.InputStream;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.ObjectBinding;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleObjectProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;

/** Takes logs, has them diagnosed off the UI thread, and lets the operator act on the verdicts. */
public final class DiagnoseViewModel {
    private static final Texts TEXTS = Texts.of("diagnose");

    /** What the place is doing. */
    enum State {
        /** Waiting for a log. */
        WAITING,
        /** Reading one. */
        READING,
        /** Read, and no out-of-memory report was in it. */
        NOTHING_FOUND,
        /** Read, and here are the verdicts. */
        VERDICT
    }

    private final Session session;
    private final UiSettings settings;
    private final TaskExecutor executor;
    private final UiScheduler ui;
    private final Notices notices;
    private final LogFiles files;
    private final ReadOnlyObjectWrapper<State> state = new ReadOnlyObjectWrapper<>(State.WAITING);
    private final ReadOnlyObjectWrapper<String> source = new ReadOnlyObjectWrapper<>("");
    private final ObservableList<LogCase> cases = FXCollections.observableArrayList();
    private final ObjectProperty<Optional<LogCase>> selected = new SimpleObjectProperty<>(Optional.empty());
    private final ReadOnlyObjectWrapper<Optional<Verdict>> verdict = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<List<Verdict.Finding>> across = new ReadOnlyObjectWrapper<>(List.of());
    private final ObservableList<PastLog> past = FXCollections.observableArrayList();
    /** Held here: the session holds what listens to it weakly. */
    private final ObjectBinding<Optional<AppliedChange>> lastChange;

    private List<Finding> acrossReports = List.of();
    private Runnable whenRaised = () -> {};
    private Supplier<String> sourceName = () -> "";
    private List<ReadLog> logs = List.of();
    private Optional<BackgroundTask<Judged>> running = Optional.empty();

    /** Logs that were read, and the reports in them, judged. */
    private record Judged(List<ReadLog> logs, List<LogCase> cases, List<Finding> across) {
        static Judged of(List<ReadLog> logs, long gapThresholdBytes) {
            List<JudgedLog> judged =
                    logs.stream().map(log -> log.judge(gapThresholdBytes)).toList();
            List<LogCase> cases = new ArrayList<>();
            for (int i = 0; i < logs.size(); i++) {
                cases.addAll(logs.get(i).cases(judged.get(i)));
            }
            List<Finding> across =
                    CrossFindings.of(judged).stream().map(CrossFinding::finding).toList();
            return new Judged(logs, List.copyOf(cases), across);
        }
    }

    public DiagnoseViewModel(
            Session session,
            UiSettings settings,
            TaskExecutor executor,
            UiScheduler ui,
            Notices notices,
            LogFiles files) {
        this.session = session;
        this.settings = settings;
        this.executor = executor;
        this.ui = ui;
        this.notices = notices;
        this.files = files;
        selected.addListener((property, before, now) -> word());
        Texts.languageProperty().addListener((property, before, now) -> {
            source.set(sourceName.get());
            word();
        });
        settings.gapThresholdBytesProperty().addListener((property, before, now) -> judgeAgain());
        lastChange = Bindings.createObjectBinding(
                () -> session.history().isEmpty()
                        ? Optional.empty()
                        : Optional.of(session.history().get(session.history().size() - 1)),
                session.history());
        new OomWatch(session, this::raise);
    }

    /** Calls this when the attached process ran out of memory and its message is being diagnosed. */
    void whenRaised(Runnable action) {
        whenRaised = action;
    }

    private void raise(TrainingProcess process, String message) {
        String pid = Long.toString(process.pid());
        notices.inform(TEXTS.get("raised", pid));
        diagnose(() -> TEXTS.get("source.attached", process.command(), pid), message);
        whenRaised.run();
    }

    /** What the place is doing. */
    ReadOnlyObjectProperty<State> stateProperty() {
        return state.getReadOnlyProperty();
    }

    /** Where the log comes from, for people. */
    ReadOnlyObjectProperty<String> sourceProperty() {
        return source.getReadOnlyProperty();
    }

    /** The reports of the log, in its order. */
    ObservableList<LogCase> cases() {
        return cases;
    }

    /** The one that is shown. */
    ObjectProperty<Optional<LogCase>> selectedProperty() {
        return selected;
    }

    /** What is said about the one that is shown, in the language of now. */
    ReadOnlyObjectProperty<Optional<Verdict>> verdictProperty() {
        return verdict.getReadOnlyProperty();
    }

    /** What several reports, or the steps around them, tell together, in the language of now. */
    ReadOnlyObjectProperty<List<Verdict.Finding>> acrossProperty() {
        return across.getReadOnlyProperty();
    }

    /** Logs that were diagnosed since the window opened, newest first. */
    ObservableList<PastLog> past() {
        return past;
    }

    /** Back to a log that was diagnosed before, with the threshold of now. */
    void reopen(PastLog log) {
        run(log.source(), control -> log.logs());
    }

    /** The last change that was applied to the attached process and can be undone. */
    ObjectBinding<Optional<AppliedChange>> lastChangeBinding() {
        return lastChange;
    }

    /** Takes the last change back and tells what came of it. */
    void undo() {
        session.undo().whenComplete((reply, fault) -> {
            if (fault != null) {
                notices.fail(TEXTS.get("undo.failed"), FaultText.of(fault));
            } else if (reply instanceof Reply.Refused refused) {
                notices.fail(TEXTS.get("undo.failed"), refused.text());
            } else {
                notices.inform(TEXTS.get("undo.done"));
            }
        });
    }

    /** Writes all verdicts as a page of HTML. */
    void saveHtml(String path) {
        String page = VerdictHtml.of(
                source.get(), cases.stream().map(VerdictWording::word).toList(), across.get());
        executor.execute(BackgroundTask.of(() -> {
                    files.write(path, page);
                    return path;
                })
                .onSuccess(written -> notices.inform(TEXTS.get("saved", written)))
                .onFailure(fault -> notices.fail(TEXTS.get("save.failed", path), String.valueOf(fault.getMessage()))));
    }

    /** The same as Markdown. */
    Optional<String> markdown() {
        return verdict.get()
                .map(v -> VerdictMarkdown.of(
                        v, selected.get().map(LogCase::sourceName).orElse(""), across.get()));
    }

    /** Files that were opened before, newest first. */
    ObservableList<String> recentFiles() {
        return settings.recentFiles();
    }

    /** Whether this remedy can be applied to the attached process; follows the process and the language. */
    ObjectBinding<ApplyOffer> offerOf(Verdict.Remedy remedy) {
        return Bindings.createObjectBinding(
                () -> ApplyOffer.of(
                        remedy,
                        session.attachedProperty().get(),
                        session.connectionProperty().get(),
                        session.latestProperty().get()),
                session.attachedProperty(),
                session.connectionProperty(),
                session.latestProperty(),
                Texts.languageProperty());
    }

    /**
     * Diagnoses a text.
     *
     * @param from where it comes from, for people
     * @param text the log
     */
    public void diagnose(String from, String text) {
        diagnose(() -> from, text);
    }

    /** Diagnoses the text that was pasted. */
    void diagnosePasted(String text) {
        diagnose(() -> TEXTS.get("source.pasted"), text);
    }

    /** Diagnoses the example. */
    void diagnoseExample() {
        diagnose(() -> TEXTS.get("source.example"), TEXTS.get("example"));
    }

    private void diagnose(Supplier<String> from, String text) {
        run(from, control -> List.of(new ReadLog(from, OomLogReader.read(text))));
    }

    /** Diagnoses the logs at these paths: files, packed or not, and folders of them. */
    public void open(List<String> paths) {
        if (paths.isEmpty()) {
            return;
        }
        Supplier<String> from = () -> paths.size() == 1 ? paths.get(0) : TEXTS.get("source.files", paths.size());
        paths.forEach(settings::remember);
        run(from, control -> readAll(paths, control));
    }

    /** Gives up on the log that is being read. */
    void cancel() {
        running.ifPresent(BackgroundTask::cancel);
        state.set(cases.isEmpty() ? State.WAITING : State.VERDICT);
    }

    /** Back to waiting for a log. */
    void clear() {
        running.ifPresent(BackgroundTask::cancel);
        logs = List.of();
        acrossReports = List.of();
        cases.clear();
        selected.set(Optional.empty());
        state.set(State.WAITING);
    }

    /** Takes a file off the recent ones. */
    void forget(String path) {
        settings.forget(path);
    }

    /** Applies a remedy to the attached process, with the operator's word, and tells what came of it. */
    void apply(Verdict.Remedy remedy) {
        remedy.change()
                .ifPresent(change -> session.apply(change).whenComplete((reply, fault) -> {
                    if (fault != null) {
                        notices.fail(TEXTS.get("apply.failed", remedy.title()), FaultText.of(fault));
                    } else if (reply instanceof Reply.Refused refused) {
                        if (!refused.code().equals(Session.READ_ONLY)) {
                            notices.fail(TEXTS.get("apply.failed", remedy.title()), refused.text());
                        }
                    } else {
                        notices.inform(TEXTS.get("apply.done", remedy.title()));
                    }
                }));
    }

    /** Says that something was copied. */
    void copied(String what) {
        String line = what.lines().findFirst().orElse("");
        notices.inform(TEXTS.get("copied", line.length() > 60 ? line.substring(0, 60) + "…" : line));
    }

    private List<ReadLog> readAll(List<String> paths, BackgroundTask.Control control) throws IOException {
        List<String> found = new ArrayList<>();
        for (String path : paths) {
            found.addAll(files.logsAt(path));
        }
        List<ReadLog> read = new ArrayList<>();
        List<String> unreadable = new ArrayList<>();
        for (int i = 0; i < found.size() && !control.cancelled(); i++) {
            control.progress((double) i / found.size());
            try (InputStream in = files.open(found.get(i))) {
                String path = found.get(i);
                read.add(new ReadLog(() -> path, OomLogReader.read(in)));
            } catch (IOException fault) {
                // One bad file among many must not hide what the others say.
                unreadable.add(found.get(i) + ": " + fault.getMessage());
            }
        }
        if (read.isEmpty() && !unreadable.isEmpty()) {
            throw new IOException(String.join("\n", unreadable));
        }
        if (!unreadable.isEmpty()) {
            ui.onUi(() ->
                    notices.fail(TEXTS.get("read.failed.some", unreadable.size()), String.join("\n", unreadable)));
        }
        return read;
    }

    private void run(Supplier<String> from, BackgroundTask.Work<List<ReadLog>> work) {
        running.ifPresent(BackgroundTask::cancel);
        long threshold = settings.gapThresholdBytesProperty().get();
        sourceName = from;
        source.set(from.get());
        BackgroundTask<Judged> task = BackgroundTask.controlled(control -> Judged.of(work.run(control), threshold));
        task.onRunning(() -> state.set(State.READING))
                .onSuccess(judged -> {
                    remember(from, judged);
                    show(judged);
                })
                .onFailure(fault -> {
                    state.set(cases.isEmpty() ? State.WAITING : State.VERDICT);
                    notices.fail(TEXTS.get("read.failed", from.get()), String.valueOf(fault.getMessage()));
                });
        running = Optional.of(task);
        executor.execute(task);
    }

    private void remember(Supplier<String> from, Judged judged) {
        if (judged.cases().isEmpty()) {
            return;
        }
        List<OomLog> same = judged.logs().stream().map(ReadLog::log).toList();
        past.removeIf(p -> p.logs().stream().map(ReadLog::log).toList().equals(same));
        List<String> causes =
                judged.cases().stream().map(VerdictWording::badge).distinct().toList();
        past.add(0, new PastLog(from, LocalTime.now(), judged.logs(), causes));
        if (past.size() > PastLog.MOST) {
            past.remove(PastLog.MOST, past.size());
        }
    }

    private void show(Judged judged) {
        logs = judged.logs();
        acrossReports = judged.across();
        selected.set(Optional.empty());
        cases.setAll(judged.cases());
        selected.set(cases.stream().findFirst());
        state.set(cases.isEmpty() ? State.NOTHING_FOUND : State.VERDICT);
    }

    /** With the threshold of now; the same report stays selected. */
    private void judgeAgain() {
        if (logs.isEmpty() || state.get() == State.READING) {
            return;
        }
        int index = selected.get().map(cases::indexOf).orElse(0);
        long threshold = settings.gapThresholdBytesProperty().get();
        List<ReadLog> judgedNow = logs;
        executor.execute(BackgroundTask.of(() -> Judged.of(judgedNow, threshold))
                .onSuccess(judged -> {
                    if (logs == judgedNow) {
                        show(judged);
                        selected.set(Optional.of(cases.get(index)));
                    }
                }));
    }

    private void word() {
        across.set(acrossReports.stream().map(VerdictWording::across).toList());
        verdict.set(selected.get().map(VerdictWording::word));
    }
}
