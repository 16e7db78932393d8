package dev.lacuna.ui.places.diagnose;

import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.ListingVerdict;
import dev.lacuna.core.diagnosis.oom.OomLogReader;
import dev.lacuna.ui.session.FaultText;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.settings.UiSettings;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import dev.lacuna.ui.task.UiScheduler;
import dev.lacuna.ui.text.FileFault;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Notices;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
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

    private final UiSettings settings;
    private final TaskExecutor executor;
    private final LogReading reading;
    private final Notices notices;
    private final LogFiles files;
    private final ReadOnlyObjectWrapper<State> state = new ReadOnlyObjectWrapper<>(State.WAITING);
    private final ReadOnlyObjectWrapper<String> source = new ReadOnlyObjectWrapper<>("");
    private final ObservableList<LogCase> cases = FXCollections.observableArrayList();
    private final ObjectProperty<Optional<LogCase>> selected = new SimpleObjectProperty<>(Optional.empty());
    private final ReadOnlyObjectWrapper<Optional<VerdictWords>> verdict = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<List<FindingWords>> across = new ReadOnlyObjectWrapper<>(List.of());
    private final PastLogs past;
    private final LogOrigin origin;
    private final RemedyActions remedies;

    private final ReadOnlyObjectWrapper<List<ListingWords>> listings = new ReadOnlyObjectWrapper<>(List.of());
    private List<ListingVerdict> tables = List.of();
    private List<Finding> acrossReports = List.of();
    private Runnable whenRaised = () -> {};
    private Supplier<String> sourceName = () -> "";
    private Supplier<String> shownName = () -> "";
    private List<ReadLog> logs = List.of();
    private Optional<BackgroundTask<JudgedLogs>> running = Optional.empty();

    public DiagnoseViewModel(
            Session session,
            UiSettings settings,
            TaskExecutor executor,
            UiScheduler ui,
            Notices notices,
            LogFiles files) {
        this.origin = new LogOrigin(session);
        this.remedies = new RemedyActions(session, notices, origin);
        this.past = new PastLogs(settings, executor);
        this.settings = settings;
        this.executor = executor;
        this.notices = notices;
        this.files = files;
        this.reading = new LogReading(files, ui, notices);
        selected.addListener((property, before, now) -> word());
        Texts.wordingProperty().addListener((property, before, now) -> {
            source.set(sourceName.get());
            word();
        });
        settings.gapThresholdBytesProperty().addListener((property, before, now) -> judgeAgain());
        new OomWatch(session, this::raise);
    }

    /** Calls this when the attached process ran out of memory and its message is being diagnosed. */
    void whenRaised(Runnable action) {
        whenRaised = action;
    }

    private void raise(TrainingProcess process, String message) {
        String pid = process.id().toString();
        notices.inform(TEXTS.get("raised", pid));
        Supplier<String> from = () -> TEXTS.get("source.attached", process.command(), pid);
        diagnoseAndKeep(from, message, from.get(), () -> origin.takenFrom(process));
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
    ReadOnlyObjectProperty<Optional<VerdictWords>> verdictProperty() {
        return verdict.getReadOnlyProperty();
    }

    /** What several reports, or the steps around them, tell together, in the language of now. */
    ReadOnlyObjectProperty<List<FindingWords>> acrossProperty() {
        return across.getReadOnlyProperty();
    }

    /** What tables of memory say, where the log is made of them and holds no report, in the language of now. */
    ReadOnlyObjectProperty<List<ListingWords>> listingsProperty() {
        return listings.getReadOnlyProperty();
    }

    /** The logs that were diagnosed before. */
    PastLogs past() {
        return past;
    }

    /** Back to a log that was diagnosed before, with the threshold of now. */
    void reopen(PastLog log) {
        run(log.source(), control -> log.logs());
    }

    /** Writes all verdicts as a page of HTML. */
    void saveHtml(String path) {
        String page = VerdictHtml.of(source.get(), cases, across.get(), listings.get());
        executor.execute(BackgroundTask.of(() -> {
                    files.write(path, page);
                    return path;
                })
                .onSuccess(written -> notices.inform(TEXTS.get("saved", written)))
                .onFailure(fault -> notices.fail(TEXTS.get("save.failed", path), FaultText.of(fault))));
    }

    /** The same as Markdown. */
    Optional<String> markdown() {
        return verdict.get()
                .map(v -> VerdictMarkdown.of(
                        v, selected.get().map(LogCase::sourceName).orElse(""), across.get()));
    }

    /** What can be done to the attached process about what was found. */
    RemedyActions remedies() {
        return remedies;
    }

    /** Files that were opened before, newest first. */
    ObservableList<String> recentFiles() {
        return settings.recentFiles();
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
        Supplier<String> from = () -> TEXTS.get("source.pasted");
        diagnoseAndKeep(from, text, "", () -> {});
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
        run(from, control -> reading.read(paths, control), judged -> paths.forEach(settings::remember), () -> {});
    }

    /** Gives up on the log that is being read. */
    void cancel() {
        running.ifPresent(BackgroundTask::cancel);
        backToWhatIsShown();
    }

    private void backToWhatIsShown() {
        name(shownName);
        state.set(cases.isEmpty() ? State.WAITING : State.VERDICT);
    }

    /** Back to waiting for a log. */
    void clear() {
        running.ifPresent(BackgroundTask::cancel);
        logs = List.of();
        acrossReports = List.of();
        tables = List.of();
        cases.clear();
        selected.set(Optional.empty());
        shownName = () -> "";
        backToWhatIsShown();
    }

    /** Takes a file off the recent ones. */
    void forget(String path) {
        settings.forget(path);
    }

    /** Says that something was copied. */
    void copied(String what) {
        String line = what.lines().findFirst().orElse("");
        notices.inform(TEXTS.get("copied", line.length() > 60 ? line.substring(0, 60) + "…" : line));
    }

    /** Reads and judges a text that no file holds, and keeps it under this name, a long one as its messages alone. */
    private void diagnoseAndKeep(Supplier<String> from, String text, String keptName, Runnable whenShown) {
        Consumer<JudgedLogs> keep = judged -> {
            if (!judged.cases().isEmpty()) {
                past.keep(keptName, text, judged);
            }
        };
        run(from, control -> List.of(new ReadLog(from, OomLogReader.read(text))), keep, whenShown);
    }

    private void run(Supplier<String> from, BackgroundTask.Work<List<ReadLog>> work) {
        run(from, work, judged -> {}, () -> {});
    }

    private void run(
            Supplier<String> from,
            BackgroundTask.Work<List<ReadLog>> work,
            Consumer<JudgedLogs> keep,
            Runnable whenShown) {
        running.ifPresent(BackgroundTask::cancel);
        long threshold = settings.gapThresholdBytesProperty().get();
        name(from);
        BackgroundTask<JudgedLogs> task =
                BackgroundTask.controlled(control -> JudgedLogs.of(work.run(control), threshold));
        task.onRunning(() -> state.set(State.READING))
                .onSuccess(judged -> {
                    shownName = from;
                    past.remember(from, judged);
                    keep.accept(judged);
                    show(judged);
                    origin.show(judged.cases().stream()
                            .map(c -> c.diagnosis().report())
                            .toList());
                    whenShown.run();
                })
                .onFailure(fault -> {
                    backToWhatIsShown();
                    notices.fail(TEXTS.get("read.failed", from.get()), FileFault.explain(fault));
                });
        running = Optional.of(task);
        executor.execute(task);
    }

    private void name(Supplier<String> from) {
        sourceName = from;
        source.set(from.get());
    }

    private void show(JudgedLogs judged) {
        logs = judged.logs();
        acrossReports = judged.across();
        tables = judged.listings();
        selected.set(Optional.empty());
        cases.setAll(judged.cases());
        selected.set(cases.stream().findFirst());
        word();
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
        executor.execute(BackgroundTask.of(() -> JudgedLogs.of(judgedNow, threshold))
                .onSuccess(judged -> {
                    if (logs == judgedNow) {
                        show(judged);
                        selected.set(cases.stream().skip(index).findFirst());
                    }
                }));
    }

    private void word() {
        listings.set(tables.stream().map(ListingWords::of).toList());
        across.set(acrossReports.stream().map(FindingWords::across).toList());
        verdict.set(selected.get().map(VerdictText::word));
    }
}
