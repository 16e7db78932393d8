package dev.lacuna.core.planning.method;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.method.PlanFailure.Reason;
import dev.lacuna.core.planning.online.OnlineRecomputation;
import dev.lacuna.core.planning.online.OnlineRun;
import dev.lacuna.core.planning.online.ScheduleWatcher;
import dev.lacuna.core.planning.online.program.OperatorProgram;
import dev.lacuna.core.planning.online.victim.EvictionHeuristic;
import dev.lacuna.core.planning.online.victim.SearchShortcuts;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Simulates a runtime that evicts when memory is short and makes again what it reads: DTR and its kin. */
final class OnlineMethod extends MethodFor<OperatorProgram> {
    /** Those that are asked; the first two by the names of their systems. */
    static final List<EvictionHeuristic> HEURISTICS =
            List.of(EvictionHeuristic.DTR_EQ, EvictionHeuristic.WINDOW, EvictionHeuristic.FREE_NEIGHBOURS);

    /** More operators than this take minutes with exact surroundings. */
    private static final int MOST_OPERATORS = 200_000;

    /** Seed of the sample: plans do not differ from run to run. */
    private static final long SEED = 1;

    /** What a runtime leaves out, by what stands behind a method's id. */
    private static final Map<String, SearchShortcuts> SHORTCUTS = Map.of(
            "small", new SearchShortcuts(true, false, SEED),
            "sample", new SearchShortcuts(false, true, SEED),
            "both", SearchShortcuts.both(SEED));

    private final EvictionHeuristic heuristic;
    private final String shortcut;

    OnlineMethod(EvictionHeuristic heuristic) {
        this(heuristic, "");
    }

    private OnlineMethod(EvictionHeuristic heuristic, String shortcut) {
        super(name(heuristic) + (shortcut.isEmpty() ? "" : "+" + shortcut), Reason.PROGRAMS_ONLY, false);
        this.heuristic = heuristic;
        this.shortcut = shortcut;
    }

    /** The method that an id such as {@code dtr+small} names: one of these with a shortcut, whatever the effort. */
    static Optional<PlanningMethod> withShortcut(String id) {
        int plus = id.indexOf('+');
        return plus < 0 || !SHORTCUTS.containsKey(id.substring(plus + 1))
                ? Optional.empty()
                : HEURISTICS.stream()
                        .filter(heuristic -> name(heuristic).equals(id.substring(0, plus)))
                        .findFirst()
                        .map(heuristic -> new OnlineMethod(heuristic, id.substring(plus + 1)));
    }

    /** Ids of all methods with a shortcut. */
    static List<String> shortcutIds() {
        return HEURISTICS.stream()
                .flatMap(heuristic -> SHORTCUTS.keySet().stream().sorted().map(each -> name(heuristic) + "+" + each))
                .toList();
    }

    private static String name(EvictionHeuristic heuristic) {
        return switch (heuristic) {
            case DTR_EQ -> "dtr";
            case WINDOW -> "coop";
            default -> heuristic.id();
        };
    }

    @Override
    public String title(Locale locale) {
        String title = PlanFailure.WORDS.text(locale, "method." + name(heuristic));
        return shortcut.isEmpty() ? title : title + PlanFailure.WORDS.text(locale, "shortcut." + shortcut);
    }

    private SearchShortcuts shortcuts(PlanningEffort effort) {
        SearchShortcuts usual = effort == PlanningEffort.QUICK ? SearchShortcuts.both(SEED) : SearchShortcuts.NONE;
        return SHORTCUTS.getOrDefault(shortcut, usual);
    }

    @Override
    Optional<OperatorProgram> read(PlanningProfile profile) {
        return profile.asProgram();
    }

    @Override
    public Optional<Reason> unsuited(PlanningProfile profile) {
        return read(profile)
                .filter(program -> program.operators() > MOST_OPERATORS)
                .map(program -> Reason.TOO_LARGE)
                .or(() -> super.unsuited(profile));
    }

    @Override
    PlanPoint plan(
            OperatorProgram program,
            PlanningProfile profile,
            long budgetBytes,
            PlanningEffort effort,
            Patience patience) {
        long fixed = profile.besideProgramBytes();
        OnlineRun run = OnlineRecomputation.run(
                program,
                Math.max(0, budgetBytes - fixed),
                heuristic,
                shortcuts(effort),
                heuristic.needsPlaces(),
                OnlineRecomputation.USUAL_LIMIT,
                ScheduleWatcher.NONE,
                patience);
        return switch (run.outcome()) {
            case FINISHED ->
                new PlanPoint.Planned(
                        id(),
                        budgetBytes,
                        run.peakBytes() + fixed,
                        run.overhead() * profile.plainTime(),
                        run.overhead(),
                        OptionalDouble.empty(),
                        false,
                        false,
                        new PlannedChoice.Online(heuristic, run));
            case OUT_OF_MEMORY -> failed(budgetBytes, Reason.DOES_NOT_FIT);
            case OUT_OF_TIME -> failed(budgetBytes, Reason.OUT_OF_TIME);
            case THRASHED -> failed(budgetBytes, Reason.THRASHED);
        };
    }
}
