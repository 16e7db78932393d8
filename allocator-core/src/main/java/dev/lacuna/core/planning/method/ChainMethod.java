package dev.lacuna.core.planning.method;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.chain.ChainBound;
import dev.lacuna.core.planning.chain.ChainPlan;
import dev.lacuna.core.planning.chain.ChainPlanner;
import dev.lacuna.core.planning.chain.LayerwiseRecompute;
import dev.lacuna.core.planning.chain.OptimalChain;
import dev.lacuna.core.planning.method.PlanFailure.Reason;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A planner of chains. It knows one micro-batch; where more are in flight, the largest budget for one is sought under
 * which all of them fit.
 */
final class ChainMethod extends MethodFor<PlanningProfile.Chain> {
    /** Halvings of the budget for one micro-batch: to a millionth of it. */
    private static final int HALVINGS = 20;

    /** Halvings need a table each: together they may take so many times the work of one. */
    private static final int WORK_OF_ALL_HALVINGS = 8;

    private static final double ROUNDING = 1e-9;

    private final ChainPlanner planner;
    private final boolean optimal;

    /** @param optimal whether a plan of one micro-batch is the best of its kind */
    ChainMethod(ChainPlanner planner, boolean optimal) {
        super(planner.id(), Reason.CHAINS_ONLY, planner instanceof OptimalChain);
        this.planner = planner;
        this.optimal = optimal;
    }

    @Override
    Optional<PlanningProfile.Chain> read(PlanningProfile profile) {
        return profile.asChain();
    }

    @Override
    PlanPoint plan(
            PlanningProfile.Chain chain,
            PlanningProfile profile,
            long budgetBytes,
            PlanningEffort effort,
            Patience patience) {
        return found(chain, budgetBytes, effort, patience)
                .<PlanPoint>map(found -> planned(profile, chain, found, budgetBytes, patience.cut()))
                .orElseGet(() -> failed(
                        budgetBytes,
                        patience.cut() && budgetBytes >= profile.leastBytes()
                                ? Reason.OUT_OF_TIME
                                : Reason.DOES_NOT_FIT));
    }

    /** @param best whether it is the best of its kind for one micro-batch */
    private record Found(ChainPlan plan, boolean best) {}

    private Optional<Found> found(
            PlanningProfile.Chain chain, long budgetBytes, PlanningEffort effort, Patience patience) {
        long most = budgetBytes - chain.fixedBytes();
        if (most < 0) {
            return Optional.empty();
        }
        if (planner instanceof LayerwiseRecompute layerwise) {
            return layerwise
                    .find(chain.chain(), most, chain.inFlight(), patience)
                    .filter(found -> chain.peakBytes(found.plan()) <= budgetBytes)
                    .map(found -> new Found(found.plan(), optimal && found.best()));
        }
        return fitting(chain, budgetBytes, asked(chain, effort), patience).map(plan -> new Found(plan, optimal));
    }

    /** Where plans for many budgets are made to find one that fits, each has less work. */
    private ChainPlanner asked(PlanningProfile.Chain chain, PlanningEffort effort) {
        return planner instanceof OptimalChain table
                ? table.withWork(chain.inFlight() == 1 ? effort.work() : effort.work() / WORK_OF_ALL_HALVINGS)
                : planner;
    }

    private PlanPoint planned(
            PlanningProfile profile, PlanningProfile.Chain chain, Found found, long budgetBytes, boolean endedEarly) {
        double againMs = found.plan.timeMs() - chain.plainTime();
        double time = profile.plainTime() + againMs * profile.timeUnit().perMillisecond();
        double overhead = profile.plainTime() > 0 ? time / profile.plainTime() : 1;
        // What is the best among chains of one micro-batch need not be so where layers can also be swapped.
        boolean comparable =
                profile instanceof PlanningProfile.Chain && profile.asLayers().isEmpty() && chain.inFlight() == 1;
        boolean proven = found.best && comparable || againMs <= 0;
        return new PlanPoint.Planned(
                id(),
                budgetBytes,
                chain.peakBytes(found.plan),
                time,
                overhead,
                proven ? OptionalDouble.of(overhead) : least(profile, budgetBytes, overhead),
                proven,
                endedEarly && !proven,
                new PlannedChoice.Chain(found.plan, CheckpointTree.of(found.plan.steps())));
    }

    /** What holds for every schedule; of layers that may be swapped too nothing is known. */
    private static OptionalDouble least(PlanningProfile profile, long budgetBytes, double overhead) {
        if (!(profile instanceof PlanningProfile.Chain chain)
                || profile.asLayers().isPresent()
                || chain.plainTime() <= 0) {
            return OptionalDouble.empty();
        }
        double again = ChainBound.leastAgainMs(chain.chain(), budgetBytes - chain.fixedBytes(), chain.inFlight());
        return OptionalDouble.of(Math.min(overhead, 1 + again / chain.plainTime() * (1 - ROUNDING)));
    }

    private static Optional<ChainPlan> fitting(
            PlanningProfile.Chain chain, long budgetBytes, ChainPlanner planner, Patience patience) {
        long most = budgetBytes - chain.fixedBytes();
        Optional<ChainPlan> best =
                planner.plan(chain.chain(), most, patience).filter(plan -> chain.peakBytes(plan) <= budgetBytes);
        if (chain.inFlight() == 1 || best.isPresent()) {
            return best;
        }
        long fits = 0;
        long tooMuch = most;
        for (int i = 0; i < HALVINGS && tooMuch - fits > 1 && !patience.isOver(); i++) {
            long middle = fits + (tooMuch - fits) / 2;
            Optional<ChainPlan> plan = planner.plan(chain.chain(), middle, patience);
            if (plan.isEmpty() || chain.peakBytes(plan.get()) <= budgetBytes) {
                fits = middle;
                best = faster(best, plan);
            } else {
                tooMuch = middle;
            }
        }
        return best;
    }

    private static Optional<ChainPlan> faster(Optional<ChainPlan> one, Optional<ChainPlan> other) {
        return one.isEmpty()
                        || other.isPresent()
                                && other.get().timeMs() <= one.get().timeMs()
                ? other
                : one;
    }
}
