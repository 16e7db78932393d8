package dev.lacuna.core.planning.swap.adaptive.method;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.swap.adaptive.step.LayerCosts;
import dev.lacuna.core.planning.swap.adaptive.step.StepRun;
import dev.lacuna.core.planning.swap.adaptive.step.StepSimulator;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.util.List;

/**
 * Lacuna's own: the fastest policy within the limit, with a proof or a bound ({@link LayerSearch}); of equally fast ones
 * one that moves few bytes ({@link FewestMoved}).
 */
public final class LayerOptimum implements AdaptiveMethod {
    /** A first search with few beginnings finds what the second one prunes with. */
    private static final int FEW = 100;

    /** Beginnings kept a layer, times layers: seconds of work at most. */
    private static final int MANY_IN_ALL = 48_000;

    @Override
    public String id() {
        return "lacuna";
    }

    @Override
    public AdaptivePlan plan(LayerProfile profile, long limitBytes, Patience patience) {
        LayerCosts costs = new LayerCosts(profile);
        StepSimulator simulator = new StepSimulator(costs);
        Candidate best = null;
        for (LayerAction action : LayerAction.values()) {
            best = better(best, simulator, LayerPolicy.all(action, costs.count()), limitBytes);
        }
        long bound = costs.computeNs();
        if (costs.count() == 0) {
            return planned(costs, best, bound + costs.besideNs());
        }
        for (int width :
                patience.isOver() ? List.<Integer>of() : List.of(FEW, Math.max(FEW, MANY_IN_ALL / costs.count()))) {
            long known = best.run.fits() ? best.run.stepNs() - costs.besideNs() : Long.MAX_VALUE;
            LayerSearch.Found found = new LayerSearch(costs, limitBytes, width, known, patience).solve();
            if (found.policy().isPresent()) {
                best = better(best, simulator, found.policy().orElseThrow(), limitBytes);
            }
            bound = Math.max(bound, found.boundNs());
            if (best.run.fits() && best.run.stepNs() > bound + costs.besideNs()) {
                best = better(
                        best, simulator, LocalImprovement.of(simulator, best.policy, limitBytes, patience), limitBytes);
            }
        }
        if (best.run.fits() && !patience.isOver()) {
            LayerPolicy lean = FewestMoved.of(simulator, costs, best.policy, limitBytes);
            best = new Candidate(lean, simulator.run(lean, limitBytes));
        }
        return planned(costs, best, Math.min(bound + costs.besideNs(), best.run.stepNs()));
    }

    private record Candidate(LayerPolicy policy, StepRun run) {}

    private static Candidate better(Candidate best, StepSimulator simulator, LayerPolicy policy, long limitBytes) {
        Candidate next = new Candidate(policy, simulator.run(policy, limitBytes));
        if (best == null || next.run.fits() && !best.run.fits()) {
            return next;
        }
        if (best.run.fits() != next.run.fits()) {
            return best;
        }
        boolean better =
                best.run.fits() ? next.run.stepNs() < best.run.stepNs() : next.run.peakBytes() < best.run.peakBytes();
        return better ? next : best;
    }

    private AdaptivePlan planned(LayerCosts costs, Candidate best, long boundNs) {
        StepRun run = best.run;
        return new AdaptivePlan(
                id(),
                new LayerPolicy(costs.effective(best.policy)),
                run.stepNs(),
                run.peakBytes(),
                run.hiddenCopyNs(),
                run.exposedCopyNs(),
                run.fits() && run.stepNs() == boundNs,
                run.fits(),
                boundNs);
    }
}
