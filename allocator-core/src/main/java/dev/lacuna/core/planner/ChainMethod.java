package dev.lacuna.core.planner;

import dev.lacuna.core.planner.PlanFailure.Reason;
import dev.lacuna.core.recompute.ChainPlan;
import dev.lacuna.core.recompute.ChainPlanner;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A planner of chains. It knows one micro-batch; where more are in flight, the largest budget for one is sought under
 * which all of them fit.
 */
final class ChainMethod implements PlanningMethod {
    /** Halvings of the budget for one micro-batch: to a millionth of it. */
    private static final int HALVINGS = 20;

    private final ChainPlanner planner;
    private final boolean optimal;

    /** @param optimal whether a plan of one micro-batch is the best of its kind */
    ChainMethod(ChainPlanner planner, boolean optimal) {
        this.planner = planner;
        this.optimal = optimal;
    }

    @Override
    public String id() {
        return planner.id();
    }

    @Override
    public Optional<Reason> unsuited(PlanningProfile profile) {
        return profile.asChain().isPresent() ? Optional.empty() : Optional.of(Reason.CHAINS_ONLY);
    }

    @Override
    public PlanPoint plan(PlanningProfile profile, long budgetBytes, PlanningEffort effort) {
        Optional<PlanningProfile.Chain> suited = profile.asChain();
        if (suited.isEmpty()) {
            return new PlanPoint.Failed(id(), budgetBytes, PlanFailure.of(Reason.CHAINS_ONLY));
        }
        PlanningProfile.Chain chain = suited.get();
        return fitting(chain, budgetBytes)
                .<PlanPoint>map(plan -> planned(profile, chain, plan, budgetBytes))
                .orElseGet(() -> new PlanPoint.Failed(id(), budgetBytes, PlanFailure.of(Reason.DOES_NOT_FIT)));
    }

    private PlanPoint planned(PlanningProfile profile, PlanningProfile.Chain chain, ChainPlan plan, long budgetBytes) {
        double againMs = plan.timeMs() - chain.plainTime();
        double time = profile.plainTime() + againMs * profile.timeUnit().perMillisecond();
        double overhead = profile.plainTime() > 0 ? time / profile.plainTime() : 1;
        // What is the best among chains of one micro-batch need not be so where layers can also be swapped.
        boolean comparable = profile instanceof PlanningProfile.Chain && chain.inFlight() == 1;
        boolean proven = optimal && comparable || againMs <= 0;
        return new PlanPoint.Planned(
                id(),
                budgetBytes,
                chain.peakBytes(plan),
                time,
                overhead,
                proven ? OptionalDouble.of(overhead) : OptionalDouble.empty(),
                proven,
                new PlannedChoice.Chain(plan, CheckpointTree.of(plan.steps())));
    }

    private Optional<ChainPlan> fitting(PlanningProfile.Chain chain, long budgetBytes) {
        long most = budgetBytes - chain.fixedBytes();
        if (most < 0) {
            return Optional.empty();
        }
        Optional<ChainPlan> best = within(chain, most, budgetBytes);
        if (chain.inFlight() == 1 || best.isPresent()) {
            return best;
        }
        long fits = 0;
        long tooMuch = most;
        for (int i = 0; i < HALVINGS && tooMuch - fits > 1; i++) {
            long middle = fits + (tooMuch - fits) / 2;
            Optional<ChainPlan> plan = planner.plan(chain.chain(), middle);
            if (plan.isEmpty() || chain.peakBytes(plan.get()) <= budgetBytes) {
                fits = middle;
                best = faster(best, plan);
            } else {
                tooMuch = middle;
            }
        }
        return best;
    }

    private Optional<ChainPlan> within(PlanningProfile.Chain chain, long forOne, long budgetBytes) {
        return planner.plan(chain.chain(), forOne).filter(plan -> chain.peakBytes(plan) <= budgetBytes);
    }

    private static Optional<ChainPlan> faster(Optional<ChainPlan> one, Optional<ChainPlan> other) {
        return one.isEmpty()
                        || other.isPresent()
                                && other.get().timeMs() <= one.get().timeMs()
                ? other
                : one;
    }
}
