package dev.lacuna.ui.places.whatif;

import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.replay.CardNeed;
import dev.lacuna.core.replay.MinimumCapacity;
import dev.lacuna.core.replay.OpeningUse;
import dev.lacuna.core.replay.OptimisationGain;
import dev.lacuna.core.replay.PolicyComparison;
import dev.lacuna.core.replay.PolicyOutcome;
import dev.lacuna.core.replay.ReplayResult;
import dev.lacuna.core.replay.ReplaySettings;
import dev.lacuna.core.replay.ReplayTimeline;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.model.TraceSource;
import dev.lacuna.ui.chart.OverlayPicture;
import dev.lacuna.ui.settings.RecentPaths;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import dev.lacuna.ui.task.UiScheduler;
import dev.lacuna.ui.text.FileFault;
import dev.lacuna.ui.text.Texts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiConsumer;
import java.util.function.DoubleConsumer;
import java.util.function.Supplier;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.beans.property.ReadOnlyDoubleProperty;
import javafx.beans.property.ReadOnlyDoubleWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;

/** Opens a trace, replays it off the UI thread under the policies that are ticked, and keeps what came of it. */
public final class WhatIfViewModel {
    private static final Texts TEXTS = Texts.of("whatif");

    /** Policies replayed at a time. */
    private static final int THREADS = 2;

    /** Traces of up to this many rows stay in memory, so that another device needs no second reading: some 60 MB. */
    private static final int KEPT_ROWS = 2 << 20;

    /** What the place is doing. */
    enum State {
        /** No trace is open. */
        EMPTY,
        /** A trace is read and replayed. */
        RUNNING,
        /** The trace could not be read, or not with these policies. */
        FAILED,
        /** Here is what came of it. */
        DONE
    }

    /** A trace that was chosen: how to open it, and what is kept of it. */
    private static final class Chosen {
        private final Supplier<String> name;
        private final Runnable whenReplayed;
        private final Opening opening;
        private Optional<TraceSource> kept = Optional.empty();

        Chosen(Supplier<String> name, Runnable whenReplayed, Opening opening) {
            this.name = name;
            this.whenReplayed = whenReplayed;
            this.opening = opening;
        }

        /** The trace, in memory where it is short enough. Off the UI thread, one task at a time. */
        synchronized TraceSource source(BackgroundTask.Control control) throws IOException {
            if (kept.isEmpty()) {
                kept = Optional.of(opening.open(control).keptUpTo(KEPT_ROWS));
            }
            return kept.get();
        }
    }

    @FunctionalInterface
    private interface Opening {
        TraceSource open(BackgroundTask.Control control) throws IOException;
    }

    private final TaskExecutor executor;
    private final UiScheduler ui;
    private final RecentPaths recent;
    private final TraceFiles files;
    private final DeviceFields device = new DeviceFields();
    private final List<PolicyChoice> policies = PolicyChoice.all();
    private final ReadOnlyObjectWrapper<State> state = new ReadOnlyObjectWrapper<>(State.EMPTY);
    private final ReadOnlyStringWrapper source = new ReadOnlyStringWrapper("");
    private final ReadOnlyStringWrapper fault = new ReadOnlyStringWrapper("");
    private final ReadOnlyDoubleWrapper progress = new ReadOnlyDoubleWrapper(-1);
    private final ReadOnlyObjectWrapper<Boolean> searching = new ReadOnlyObjectWrapper<>(false);
    private final ReadOnlyDoubleWrapper searched = new ReadOnlyDoubleWrapper();
    private final ObservableList<PolicyRun> runs = FXCollections.observableArrayList();
    private final ReadOnlyObjectWrapper<Optional<String>> selected = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyStringWrapper opening = new ReadOnlyStringWrapper("");
    private Optional<Chosen> chosen = Optional.empty();
    private Optional<Chosen> next = Optional.empty();
    private BiConsumer<String, String> whenKept = (name, why) -> {};
    private ReplaySettings shownSettings = ReplaySettings.RECORDED;
    private Optional<BackgroundTask<?>> running = Optional.empty();
    private Supplier<String> faultText = () -> "";

    public WhatIfViewModel(TaskExecutor executor, UiScheduler ui, RecentPaths recent, TraceFiles files) {
        this.executor = executor;
        this.ui = ui;
        this.recent = recent;
        this.files = files;
        Texts.wordingProperty().addListener((property, before, now) -> {
            chosen.ifPresent(c -> source.set(c.name.get()));
            next.ifPresent(c -> opening.set(c.name.get()));
            fault.set(faultText.get());
        });
    }

    /** What the place is doing. */
    ReadOnlyObjectProperty<State> stateProperty() {
        return state.getReadOnlyProperty();
    }

    /** Where the trace comes from, for people. */
    public ReadOnlyStringProperty sourceProperty() {
        return source.getReadOnlyProperty();
    }

    /** What is being opened; until it has been replayed what was open stays. Empty while nothing is. */
    ReadOnlyStringProperty openingProperty() {
        return opening.getReadOnlyProperty();
    }

    /** Calls this with the name of what could not be opened, and why, where what was open stays. */
    void whenKept(BiConsumer<String, String> action) {
        whenKept = action;
    }

    /** Whether there is a trace that could be replayed. */
    boolean isOpen() {
        return !runs.isEmpty();
    }

    /** Why it failed and what to do. */
    ReadOnlyStringProperty faultProperty() {
        return fault.getReadOnlyProperty();
    }

    /** How much is read, 0 to 1; negative when that is not known. */
    ReadOnlyDoubleProperty progressProperty() {
        return progress.getReadOnlyProperty();
    }

    /** Whether smallest capacities are being looked for. */
    ReadOnlyObjectProperty<Boolean> searchingProperty() {
        return searching.getReadOnlyProperty();
    }

    /** How far that is, 0 to 1. */
    ReadOnlyDoubleProperty searchedProperty() {
        return searched.getReadOnlyProperty();
    }

    /** The device that is replayed on. */
    DeviceFields device() {
        return device;
    }

    /** The policies that can be ticked. */
    List<PolicyChoice> policies() {
        return policies;
    }

    /** What came of the last replay, one per policy. */
    ObservableList<PolicyRun> runs() {
        return runs;
    }

    /** The policy that stands out wherever it is shown; empty where none does. */
    ReadOnlyObjectProperty<Optional<String>> selectedProperty() {
        return selected.getReadOnlyProperty();
    }

    /** Has this policy stand out; the same again lets go of it. */
    void select(String policy) {
        Optional<String> next = Optional.of(policy);
        selected.set(selected.get().equals(next) ? Optional.empty() : next);
    }

    /** Has the next policy of the table stand out, or the one before. */
    void selectNext(int direction) {
        List<String> shown = runs.stream().map(PolicyRun::policy).toList();
        if (!shown.isEmpty()) {
            int at = selected.get().map(shown::indexOf).orElse(-1);
            int next = at < 0 && direction < 0 ? shown.size() - 1 : Math.floorMod(at + direction, shown.size());
            selected.set(Optional.of(shown.get(next)));
        }
    }

    /** Lets go of what is selected. */
    void selectNothing() {
        selected.set(Optional.empty());
    }

    /** The number of the selected run; −1 for none. */
    int selectedRun() {
        return selected.get()
                .map(policy -> runs.stream().map(PolicyRun::policy).toList().indexOf(policy))
                .orElse(-1);
    }

    /** Gives up on what is running; where nothing is, lets go of what is selected. */
    void escape() {
        if (state.get() == State.RUNNING || searching.get()) {
            cancel();
        } else {
            selectNothing();
        }
    }

    /** Traces that were opened before, newest first. */
    ObservableList<String> recentTraces() {
        return recent.list();
    }

    /** Takes a path off the recent ones. */
    void forget(String path) {
        recent.forget(path);
    }

    /** Whether there is a trace, a policy and a device that can be understood. */
    BooleanBinding canReplay() {
        BooleanBinding any = Bindings.createBooleanBinding(
                () -> policies.stream().anyMatch(p -> p.chosenProperty().get()),
                policies.stream().map(PolicyChoice::chosenProperty).toArray(javafx.beans.Observable[]::new));
        return device.valid().and(any).and(state.isNotEqualTo(State.EMPTY));
    }

    /** Whether this run is the best of those shown. */
    boolean isBest(PolicyRun run) {
        List<PolicyOutcome> all = runs.stream().map(PolicyRun::outcome).toList();
        return run.outcome().isBestOf(all);
    }

    /** What the optimisation would have changed, a sentence a figure, what decides first; empty where that was not replayed. */
    List<String> gain() {
        return OptimisationGain.of(runs.stream().map(PolicyRun::outcome).toList())
                .map(gain -> gain.sentences(Texts.locale()))
                .orElse(List.of());
    }

    /** How the runs of a late recording began, and under which cap they ran; empty where neither needs saying. */
    String openingNote() {
        List<ReplayResult> results =
                runs.stream().map(run -> run.outcome().result()).toList();
        OpeningUse use = OpeningUse.ofAll(results);
        String began = switch (use) {
            case TAKEN_OVER, DOES_NOT_FIT -> TEXTS.get("opening." + use.word());
            case ASKED_FOR -> "";
        };
        OptionalDouble cap = ReplayResult.recordedCap(results);
        return cap.isPresent() ? (began + " " + TEXTS.get("cap", cap.getAsDouble())).strip() : began;
    }

    /** That the trace ended early, or that rows of it make no sense; empty where it is whole. */
    String cutNote() {
        return TraceNote.of(runs.stream().map(run -> run.outcome().result()).toList());
    }

    /** The curves of the runs. */
    Optional<OverlayPicture> picture() {
        return runs.isEmpty() ? Optional.empty() : Optional.of(RunCurves.of(runs));
    }

    /** What names of files that open here end in. */
    public List<String> endings() {
        return files.endings();
    }

    /** Opens the trace at this path and replays it. */
    public void open(String path) {
        start(new Chosen(() -> path, () -> recent.remember(path), control -> files.open(path, control::progress)));
    }

    /** Replays a trace that is in memory already. */
    void open(Supplier<String> name, TraceSource trace) {
        start(new Chosen(name, () -> {}, control -> trace));
    }

    /** Opens the trace that comes with the program. */
    public void openExample() {
        start(new Chosen(() -> TEXTS.get("source.example"), () -> {}, control -> files.example()));
    }

    /** Replays the open trace again, with the policies and the device of now. */
    void replay() {
        Optional<ReplaySettings> settings = device.settings();
        List<AllocatorPolicy> ticked = policies.stream()
                .filter(p -> p.chosenProperty().get())
                .map(PolicyChoice::policy)
                .toList();
        Optional<Chosen> asked = next.or(() -> chosen);
        if (asked.isEmpty() || settings.isEmpty() || ticked.isEmpty()) {
            return;
        }
        giveUp();
        Chosen trace = asked.get();
        BackgroundTask<List<PolicyRun>> task =
                BackgroundTask.controlled(control -> compare(trace.source(control), ticked, settings.get()));
        task.onProgress(progress::set).onFailure(why -> fail(trace, why)).onSuccess(done -> {
            boolean known = chosen.filter(trace::equals).isPresent() && needsAreThoseOf(settings.get());
            List<PolicyRun> before = known ? List.copyOf(runs) : List.of();
            shownSettings = settings.get();
            runs.setAll(done.stream().map(run -> run.knowing(before)).toList());
            hold(trace);
            state.set(State.DONE);
            findSmallest();
        });
        running = Optional.of(task);
        progress.set(-1);
        state.set(State.RUNNING);
        executor.execute(task);
    }

    /** What a policy needs does not depend on the device's capacity. */
    private boolean needsAreThoseOf(ReplaySettings next) {
        return next.fraction().equals(shownSettings.fraction()) && next.scale() == shownSettings.scale();
    }

    /** Gives up on what is running; what was shown before stays. */
    void cancel() {
        giveUp();
        if (state.get() == State.RUNNING) {
            if (runs.isEmpty()) {
                close();
            } else {
                expect(Optional.empty());
                state.set(State.DONE);
            }
        }
    }

    /** This is open from now on. */
    private void hold(Chosen trace) {
        chosen = Optional.of(trace);
        expect(Optional.empty());
        source.set(trace.name.get());
        trace.whenReplayed.run();
    }

    private void expect(Optional<Chosen> trace) {
        next = trace;
        opening.set(trace.map(t -> t.name.get()).orElse(""));
    }

    /** Back to no trace. */
    void close() {
        giveUp();
        chosen = Optional.empty();
        expect(Optional.empty());
        source.set("");
        runs.clear();
        state.set(State.EMPTY);
    }

    /**
     * Works out what every run that is shown needs to finish, one after the other; those that are known stay known. Begins by itself after a
     * replay, and can be cancelled and begun again.
     */
    void findSmallest() {
        List<PolicyRun> asked = runs.stream()
                .filter(run -> run.search() != PolicyRun.Search.DONE)
                .toList();
        if (state.get() != State.DONE || chosen.isEmpty() || searching.get() || asked.isEmpty()) {
            return;
        }
        Chosen trace = chosen.get();
        ReplaySettings settings = shownSettings;
        BackgroundTask<Boolean> task = BackgroundTask.controlled(control -> {
            for (int i = 0; i < asked.size(); i++) {
                PolicyRun run = asked.get(i);
                double before = (double) i / asked.size();
                CardNeed found = need(
                        trace.source(control),
                        settings,
                        run.policy(),
                        share -> control.progress(before + share / asked.size()));
                ui.onUi(() -> {
                    if (!control.cancelled()) {
                        replace(run.policy(), r -> r.found(found));
                    }
                });
            }
            return true;
        });
        task.onProgress(searched::set).onFailure(this::failed).onFinished(() -> {
            // One that was given up may end after the next has begun.
            if (running.filter(now -> now == task).isPresent()) {
                searching.set(false);
            }
        });
        running = Optional.of(task);
        searched.set(0);
        searching.set(true);
        runs.replaceAll(r -> asked.contains(r) ? r.searching(PolicyRun.Search.RUNNING) : r);
        executor.execute(task);
    }

    private void start(Chosen trace) {
        giveUp();
        expect(Optional.of(trace));
        state.set(State.RUNNING);
        if (device.settings().isEmpty()
                || policies.stream().noneMatch(p -> p.chosenProperty().get())) {
            faultText = () -> TEXTS.get("failed.settings");
            fault.set(faultText.get());
            state.set(State.FAILED);
            return;
        }
        replay();
    }

    private void giveUp() {
        running.ifPresent(BackgroundTask::cancel);
        running = Optional.empty();
        if (runs.stream().anyMatch(r -> r.search() == PolicyRun.Search.RUNNING)) {
            runs.replaceAll(r -> r.search() == PolicyRun.Search.RUNNING ? r.searching(PolicyRun.Search.NOT_ASKED) : r);
        }
        searching.set(false);
    }

    private void replace(String policy, java.util.function.UnaryOperator<PolicyRun> change) {
        runs.replaceAll(r -> r.policy().equals(policy) ? change.apply(r) : r);
    }

    private static List<PolicyRun> compare(TraceSource trace, List<AllocatorPolicy> policies, ReplaySettings settings)
            throws IOException {
        if (!(trace instanceof AllocationTrace) && policies.stream().anyMatch(AllocatorPolicy::needsForesight)) {
            throw new TooLongForForesightException();
        }
        List<ReplayTimeline> timelines = new ArrayList<>();
        List<PolicyComparison.Entrant> entrants = new ArrayList<>();
        for (AllocatorPolicy policy : policies) {
            timelines.add(new ReplayTimeline());
            entrants.add(new PolicyComparison.Entrant(policy, timelines.get(timelines.size() - 1)));
        }
        List<ReplayResult> results = new PolicyComparison(settings, THREADS).run(trace, entrants);
        List<PolicyRun> runs = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            runs.add(PolicyRun.of(results.get(i), policies.get(i).needsForesight(), timelines.get(i)));
        }
        return runs;
    }

    private CardNeed need(TraceSource trace, ReplaySettings settings, String policy, DoubleConsumer progress) {
        AllocatorPolicy asked = policies.stream()
                .filter(p -> p.name().equals(policy))
                .findFirst()
                .orElseThrow()
                .policy();
        return new MinimumCapacity(trace, settings).find(asked, progress);
    }

    /** What could not be replayed for the first time leaves what was open. */
    private void fail(Chosen trace, Exception why) {
        if (isOpen() && chosen.filter(trace::equals).isEmpty()) {
            expect(Optional.empty());
            state.set(State.DONE);
            whenKept.accept(FileFault.kept(trace.name.get()), explanation(cause(why)));
            findSmallest();
            return;
        }
        chosen = Optional.of(trace);
        expect(Optional.empty());
        source.set(trace.name.get());
        failed(why);
    }

    private void failed(Exception why) {
        Throwable cause = cause(why);
        faultText = () -> explanation(cause);
        fault.set(faultText.get());
        state.set(State.FAILED);
    }

    private static Throwable cause(Exception why) {
        return why instanceof java.io.UncheckedIOException unchecked ? unchecked.getCause() : why;
    }

    private static String explanation(Throwable fault) {
        if (fault instanceof TooLongForForesightException) {
            return TEXTS.get("failed.foresight", KEPT_ROWS);
        }
        return FileFault.explain(fault);
    }

    /** A policy with foresight needs the whole trace in memory. */
    private static final class TooLongForForesightException extends IOException {
        private static final long serialVersionUID = 1L;
    }
}
