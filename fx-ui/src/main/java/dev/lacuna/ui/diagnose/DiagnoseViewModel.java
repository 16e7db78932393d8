package dev.lacuna.ui.diagnose;

import dev.lacuna.bridge.Reply;
import dev.lacuna.core.oom.OomLogReader;
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
    private Supplier<String> sourceName = () -> "";
    private List<ReadLog> logs = List.of();
    private Optional<BackgroundTask<Judged>> running = Optional.empty();

    /** Logs that were read, and the reports in them, judged. */
    private record Judged(List<ReadLog> logs, List<LogCase> cases) {
        static Judged of(List<ReadLog> logs, long gapThresholdBytes) {
            return new Judged(
                    logs,
                    logs.stream()
                            .flatMap(log -> log.judge(gapThresholdBytes).stream())
                            .toList());
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

    /** The same as Markdown. */
    Optional<String> markdown() {
        return verdict.get()
                .map(v -> VerdictMarkdown.of(
                        v, selected.get().map(LogCase::sourceName).orElse("")));
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
        task.onRunning(() -> state.set(State.READING)).onSuccess(this::show).onFailure(fault -> {
            state.set(cases.isEmpty() ? State.WAITING : State.VERDICT);
            notices.fail(TEXTS.get("read.failed", from.get()), String.valueOf(fault.getMessage()));
        });
        running = Optional.of(task);
        executor.execute(task);
    }

    private void show(Judged judged) {
        logs = judged.logs();
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
        verdict.set(selected.get().map(VerdictWording::word));
    }
}
