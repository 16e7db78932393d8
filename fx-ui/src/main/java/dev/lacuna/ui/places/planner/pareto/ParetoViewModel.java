package dev.lacuna.ui.places.planner.pareto;

import dev.lacuna.core.allocator.packing.PlacedTable;
import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.planning.ParetoCurve;
import dev.lacuna.core.planning.PlanContent;
import dev.lacuna.core.planning.PlanningTerms;
import dev.lacuna.core.planning.method.PlanPoint;
import dev.lacuna.core.planning.method.PlannedChoice;
import dev.lacuna.core.planning.method.PlanningEffort;
import dev.lacuna.core.planning.method.PlanningMethod;
import dev.lacuna.core.planning.method.PlanningMethods;
import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.ui.places.planner.files.PlannerFiles;
import dev.lacuna.ui.session.FaultText;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import dev.lacuna.ui.task.UiScheduler;
import dev.lacuna.ui.text.FileFault;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.text.TranslatedText;
import dev.lacuna.ui.window.Notices;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.IntegerProperty;
import javafx.beans.property.LongProperty;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyDoubleProperty;
import javafx.beans.property.ReadOnlyDoubleWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.beans.property.SimpleIntegerProperty;
import javafx.beans.property.SimpleLongProperty;
import javafx.beans.property.SimpleObjectProperty;

/** Opens a profile, lets every method plan under a row of budgets off the UI thread, and holds what is chosen of it. */
public final class ParetoViewModel {
    private static final Texts TEXTS = Texts.of("planner");

    /** Budgets that are tried. */
    private static final int BUDGETS = 12;

    /** What the tab is doing. */
    enum State {
        /** Nothing is open. */
        EMPTY,
        /** A profile is read or measured. */
        READING,
        /** Methods are planning; what was found is shown. */
        PLANNING,
        /** All methods are done. */
        SHOWN,
        /** A table of lifetimes is open: its blocks have places. */
        PLACED,
        /** Nothing could be read. */
        FAILED
    }

    private final PlannerFiles files;
    private final TaskExecutor executor;
    private final UiScheduler ui;
    private final Notices notices;
    private final LiveLayers live;
    private final Supplier<Optional<ConfigDocument>> mindformers;
    private final ReadOnlyObjectWrapper<State> state = new ReadOnlyObjectWrapper<>(State.EMPTY);
    private final TranslatedText source = new TranslatedText();
    private final TranslatedText opening = new TranslatedText();
    private final TranslatedText fault = new TranslatedText();
    private final ReadOnlyDoubleWrapper progress = new ReadOnlyDoubleWrapper();
    private final ReadOnlyObjectWrapper<Optional<PlanningProfile>> profile =
            new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<ParetoCurve> curve = new ReadOnlyObjectWrapper<>(new ParetoCurve(List.of()));
    private final ReadOnlyObjectWrapper<Optional<PlanPoint.Planned>> chosen =
            new ReadOnlyObjectWrapper<>(Optional.empty());
    private final LongProperty budget = new SimpleLongProperty();
    private final ObjectProperty<PlanningEffort> effort = new SimpleObjectProperty<>(PlanningEffort.QUICK);
    private final PlacesModel places = new PlacesModel();
    private final BooleanProperty shortcuts = new SimpleBooleanProperty();
    private final ReadOnlyObjectWrapper<List<PlanningMethod>> methods = new ReadOnlyObjectWrapper<>(List.of());
    private final IntegerProperty chunks = new SimpleIntegerProperty(1);
    private Optional<BackgroundTask<?>> running = Optional.empty();
    private int generation;

    /** @param mindformers the file that is open in the tab beside, to write a plan into */
    public ParetoViewModel(
            PlannerFiles files,
            TaskExecutor executor,
            UiScheduler ui,
            Notices notices,
            LiveLayers live,
            Supplier<Optional<ConfigDocument>> mindformers) {
        this.files = files;
        this.executor = executor;
        this.ui = ui;
        this.notices = notices;
        this.live = live;
        this.mindformers = mindformers;
        budget.addListener(any -> chooseWithinBudget());
    }

    /** What the tab is doing. */
    ReadOnlyObjectProperty<State> stateProperty() {
        return state.getReadOnlyProperty();
    }

    /** Where the profile comes from. */
    public ReadOnlyStringProperty sourceProperty() {
        return source.property();
    }

    /** Whether a profile or a table could be read. */
    public boolean isOpen() {
        return profile.get().isPresent() || places.placedProperty().get().isPresent();
    }

    /** Places for the blocks of a table of lifetimes, where one is open. */
    PlacesModel places() {
        return places;
    }

    /** Where that comes from which is being read; until it is there what was open stays. */
    ReadOnlyStringProperty openingProperty() {
        return opening.property();
    }

    /** Why nothing could be read. */
    ReadOnlyStringProperty faultProperty() {
        return fault.property();
    }

    /** How much is planned, 0 to 1. */
    ReadOnlyDoubleProperty progressProperty() {
        return progress.getReadOnlyProperty();
    }

    /** The open profile. */
    ReadOnlyObjectProperty<Optional<PlanningProfile>> profileProperty() {
        return profile.getReadOnlyProperty();
    }

    /** What was found so far. */
    ReadOnlyObjectProperty<ParetoCurve> curveProperty() {
        return curve.getReadOnlyProperty();
    }

    /** The chosen plan. */
    ReadOnlyObjectProperty<Optional<PlanPoint.Planned>> chosenProperty() {
        return chosen.getReadOnlyProperty();
    }

    /** Bytes that a plan may need; moving it chooses the fastest plan within. */
    LongProperty budgetProperty() {
        return budget;
    }

    /** What plans leave of the budget where that is a limit of a process, bytes; 0 where it is not. */
    long spareBytes() {
        return profile.get().map(p -> p.spare().of(budget.get())).orElse(0L);
    }

    /** How long methods that search may search. */
    ObjectProperty<PlanningEffort> effortProperty() {
        return effort;
    }

    /** The layers of the attached process. */
    LiveLayers live() {
        return live;
    }

    /** Whether runtimes that evict as they go are also asked with their authors' shortcuts, when it is planned next. */
    BooleanProperty shortcutsProperty() {
        return shortcuts;
    }

    /** Whether such runtimes can say something about this profile. */
    boolean hasShortcuts() {
        return profile.get()
                .filter(open -> !PlanningMethods.suitedByName(open).isEmpty())
                .isPresent();
    }

    /** Methods that are asked about the open profile, in the order of the legend. */
    ReadOnlyObjectProperty<List<PlanningMethod>> methodsProperty() {
        return methods.getReadOnlyProperty();
    }

    private List<PlanningMethod> suited(PlanningProfile opened) {
        List<PlanningMethod> all = new ArrayList<>(PlanningMethods.suited(opened));
        if (shortcuts.get()) {
            all.addAll(PlanningMethods.suitedByName(opened));
        }
        return List.copyOf(all);
    }

    /** Opens the profile at this path and plans. */
    public void open(String path) {
        read(() -> path, () -> OpenedPlan.of(files, path));
    }

    /** Opens the profile that comes with the program. */
    void openExample() {
        read(() -> TEXTS.get("plan.example"), () -> {
            try (InputStream in = ParetoViewModel.class.getResourceAsStream("example.json")) {
                return OpenedPlan.profile(PlanContent.read(in, List.of()));
            }
        });
    }

    /** Measures the attached process and plans for it. */
    void measure() {
        Supplier<String> from = () -> TEXTS.get("plan.live");
        begin(from);
        int began = generation;
        live.measure().whenComplete((measured, why) -> {
            if (began == generation) {
                if (why != null) {
                    unreadable(from, why);
                } else {
                    opened(from, PlanningProfile.Layers.live(measured));
                }
            }
        });
    }

    /** Plans anew, with the effort of now. */
    void plan() {
        profile.get().ifPresent(this::accept);
    }

    /** Gives up; what was found stays. */
    void cancel() {
        running.ifPresent(BackgroundTask::cancel);
        generation++;
        if (state.get() == State.PLANNING) {
            state.set(State.SHOWN);
        } else if (state.get() == State.READING) {
            state.set(isOpen() ? stateOfOpen() : State.EMPTY);
        }
    }

    /** Chooses this plan. */
    void choose(PlanPoint.Planned point) {
        chosen.set(Optional.of(point));
    }

    /** Chooses the next plan of the front towards more memory, or less. */
    void chooseNext(int direction) {
        List<PlanPoint.Planned> front = curve.get().undominated();
        if (!front.isEmpty()) {
            int at = chosen.get().map(front::indexOf).orElse(-1);
            choose(front.get(Math.max(0, Math.min(front.size() - 1, at < 0 ? 0 : at + direction))));
        }
    }

    /** Into how many model chunks Megatron cuts the layers: pipeline stages times virtual stages, from 1. */
    IntegerProperty chunksProperty() {
        return chunks;
    }

    /** The chosen plan in everybody's language. */
    List<PlanOutput> outputs() {
        return chosen.get().isEmpty() || profile.get().isEmpty()
                ? List.of()
                : PlanOutput.of(profile.get().get(), chosen.get().get(), mindformers.get(), chunks.get());
    }

    /** What the chosen plan does with each layer. */
    Schedule schedule() {
        return chosen.get().isEmpty() || profile.get().isEmpty()
                ? new Schedule(List.of())
                : Schedule.of(profile.get().get(), chosen.get().get().choice());
    }

    /** Tells the attached process's layers what to do. */
    void apply(LayerPolicy policy) {
        live.apply(policy).whenComplete((done, why) -> {
            if (why != null) {
                notices.fail(TEXTS.get("plan.apply.failed"), FaultText.of(why));
            } else if (done) {
                notices.inform(TEXTS.get("plan.applied", policy.letters()));
            }
        });
    }

    /** Writes one of the outputs. */
    void save(String path, String text) {
        executor.execute(BackgroundTask.of(() -> {
                    files.write(path, text);
                    return path;
                })
                .onSuccess(written -> notices.inform(TEXTS.get("mf.saved", written)))
                .onFailure(why -> notices.fail(TEXTS.get("mf.save.failed", path), FaultText.of(why))));
    }

    private State stateOfOpen() {
        return profile.get().isPresent() ? State.SHOWN : State.PLACED;
    }

    private void read(Supplier<String> from, Callable<OpenedPlan> reading) {
        begin(from);
        BackgroundTask<OpenedPlan> task = BackgroundTask.of(reading);
        task.onSuccess(read -> {
                    if (read instanceof OpenedPlan.Profile opened) {
                        opened(from, opened.profile());
                    } else if (read instanceof OpenedPlan.Places opened) {
                        placed(from, opened.table());
                    }
                })
                .onFailure(why -> unreadable(from, why));
        running = Optional.of(task);
        executor.execute(task);
    }

    private void begin(Supplier<String> from) {
        running.ifPresent(BackgroundTask::cancel);
        generation++;
        opening.set(from);
        state.set(State.READING);
    }

    private void placed(Supplier<String> from, PlacedTable table) {
        generation++;
        profile.set(Optional.empty());
        methods.set(List.of());
        curve.set(new ParetoCurve(List.of()));
        chosen.set(Optional.empty());
        places.show(Optional.of(table));
        source.set(from);
        fault.clear();
        state.set(State.PLACED);
    }

    private void opened(Supplier<String> from, PlanningProfile read) {
        // First: who is told where it comes from asks whether it is open.
        profile.set(Optional.of(read));
        places.show(Optional.empty());
        source.set(from);
        fault.clear();
        accept(read);
    }

    /** What was open stays, with what was found of it. */
    private void unreadable(Supplier<String> from, Throwable why) {
        if (isOpen()) {
            state.set(stateOfOpen());
            notices.fail(FileFault.kept(from.get()), FaultText.of(why));
        } else {
            failed(why);
        }
    }

    private void failed(Throwable why) {
        fault.set(() -> FaultText.of(why));
        state.set(State.FAILED);
    }

    private void accept(PlanningProfile opened) {
        running.ifPresent(BackgroundTask::cancel);
        int began = ++generation;
        profile.set(Optional.of(opened));
        curve.set(new ParetoCurve(List.of()));
        chosen.set(Optional.empty());
        budget.set(opened.spare().limitFor((opened.leastBytes() + 3 * opened.plainPeakBytes()) / 4));
        progress.set(0);
        state.set(State.PLANNING);
        List<PlanningMethod> asked = suited(opened);
        methods.set(asked);
        List<Long> budgets = ParetoCurve.budgets(opened, BUDGETS);
        double all = Math.max(1, asked.size() * budgets.size());
        PlanningEffort patience = effort.get();
        List<PlanPoint> found = new ArrayList<>();
        BackgroundTask<ParetoCurve> task = BackgroundTask.controlled(control -> ParetoCurve.of(
                opened,
                asked,
                budgets,
                PlanningTerms.of(patience, control::cancelled),
                point -> {
                    found.add(point);
                    List<PlanPoint> now = List.copyOf(found);
                    ui.onUi(() -> soFar(began, now, now.size() / all));
                },
                next -> {}));
        task.onSuccess(whole -> {
                    if (began == generation) {
                        soFar(began, whole.points(), 1);
                        state.set(State.SHOWN);
                    }
                })
                .onFailure(this::failed);
        running = Optional.of(task);
        executor.execute(task);
    }

    private void soFar(int began, List<PlanPoint> points, double share) {
        if (began == generation) {
            curve.set(new ParetoCurve(points));
            progress.set(share);
            chooseWithinBudget();
        }
    }

    /** What can be set ahead comes first: a runtime that evicts as it goes leaves nothing to set. */
    private void chooseWithinBudget() {
        long plannable = budget.get() - spareBytes();
        List<PlanPoint> ahead = curve.get().points().stream()
                .filter(point -> !(point instanceof PlanPoint.Planned planned
                        && planned.choice() instanceof PlannedChoice.Online))
                .toList();
        new ParetoCurve(ahead)
                .fastestWithin(plannable)
                .or(() -> curve.get().fastestWithin(plannable))
                .ifPresent(this::choose);
    }
}
