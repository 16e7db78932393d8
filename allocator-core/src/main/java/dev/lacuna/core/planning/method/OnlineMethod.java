package dev.lacuna.core.planning.method;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.method.PlanFailure.Reason;
import dev.lacuna.core.planning.online.OnlineRecomputation;
import dev.lacuna.core.planning.online.OnlineRun;
import dev.lacuna.core.planning.online.ScheduleWatcher;
import dev.lacuna.core.planning.online.victim.EvictionHeuristic;
import dev.lacuna.core.planning.online.victim.SearchShortcuts;
import java.util.Optional;
import java.util.OptionalDouble;

/** Simulates a runtime that evicts when memory is short and makes again what it reads: DTR and its kin. */
final class OnlineMethod implements PlanningMethod {
    /** More operators than this take minutes with exact surroundings. */
    private static final int MOST_OPERATORS = 200_000;

    private final EvictionHeuristic heuristic;

    OnlineMethod(EvictionHeuristic heuristic) {
        this.heuristic = heuristic;
    }

    @Override
    public String id() {
        return heuristic == EvictionHeuristic.DTR_EQ ? "dtr" : "coop";
    }

    @Override
    public Optional<Reason> unsuited(PlanningProfile profile) {
        return profile.asProgram()
                .map(program ->
                        program.operators() > MOST_OPERATORS ? Optional.of(Reason.TOO_LARGE) : Optional.<Reason>empty())
                .orElse(Optional.of(Reason.PROGRAMS_ONLY));
    }

    @Override
    public PlanPoint plan(PlanningProfile profile, long budgetBytes, PlanningEffort effort, Patience patience) {
        Optional<Reason> unsuited = unsuited(profile);
        if (unsuited.isPresent()) {
            return new PlanPoint.Failed(id(), budgetBytes, PlanFailure.of(unsuited.get()));
        }
        long fixed = profile.besideProgramBytes();
        OnlineRun run = OnlineRecomputation.run(
                profile.asProgram().orElseThrow(),
                Math.max(0, budgetBytes - fixed),
                heuristic,
                effort == PlanningEffort.QUICK ? SearchShortcuts.both(1) : SearchShortcuts.NONE,
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
            case OUT_OF_MEMORY -> new PlanPoint.Failed(id(), budgetBytes, PlanFailure.of(Reason.DOES_NOT_FIT));
            case OUT_OF_TIME -> new PlanPoint.Failed(id(), budgetBytes, PlanFailure.of(Reason.OUT_OF_TIME));
            case THRASHED -> new PlanPoint.Failed(id(), budgetBytes, PlanFailure.of(Reason.THRASHED));
        };
    }
}
