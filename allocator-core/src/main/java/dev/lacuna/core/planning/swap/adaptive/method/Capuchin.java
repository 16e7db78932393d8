package dev.lacuna.core.planning.swap.adaptive.method;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.swap.adaptive.method.RecomputeSources.Candidate;
import dev.lacuna.core.planning.swap.adaptive.step.LayerCosts;
import dev.lacuna.core.planning.swap.adaptive.step.PassState;
import dev.lacuna.core.planning.swap.adaptive.step.StepRun;
import dev.lacuna.core.planning.swap.adaptive.step.StepSimulator;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * As Capuchin decides after its measured step (Peng et al., ASPLOS 2020): what is not read for the longest time is
 * swapped first, as long as that time covers both copies; then, layer by layer, whichever costs less: the rest of a swap
 * that no longer hides, or recomputing what frees most memory per second. It takes layers until the step fits. Its first,
 * passive step is {@link LeastRecentlyUsed}; its feedback on prefetches has nothing left to correct here, since the
 * simulator brings everything back in time.
 */
public final class Capuchin implements AdaptiveMethod {
    @Override
    public String id() {
        return "capuchin";
    }

    @Override
    public AdaptivePlan plan(LayerProfile profile, long limitBytes, Patience patience) {
        LayerCosts costs = new LayerCosts(profile);
        StepSimulator simulator = new StepSimulator(costs);
        List<LayerAction> actions =
                new ArrayList<>(LayerPolicy.all(LayerAction.KEEP, costs.count()).actions());
        RecomputeSources recompute = sources(costs);
        LayerPolicy policy = new LayerPolicy(actions);
        StepRun run = simulator.run(policy, limitBytes);
        while (!run.fits() && !patience.isOver() && take(costs, recompute, actions)) {
            policy = new LayerPolicy(actions);
            run = simulator.run(policy, limitBytes);
        }
        return AdaptivePlan.of(id(), costs, run, policy);
    }

    private static boolean take(LayerCosts costs, RecomputeSources recompute, List<LayerAction> actions) {
        int swap = -1;
        long freeNs = Long.MIN_VALUE;
        for (int i = 0; i < costs.count(); i++) {
            if (actions.get(i) == LayerAction.KEEP && costs.canSwap(i)) {
                long free = freeNs(costs, actions, i);
                if (free > freeNs) {
                    swap = i;
                    freeNs = free;
                }
            }
        }
        int again = recompute.best();
        if (swap < 0 && again < 0) {
            return false;
        }
        if (again < 0 || swap >= 0 && -freeNs <= recompute.addedNs(again)) {
            actions.set(swap, LayerAction.SWAP);
            recompute.withdraw(swap);
        } else {
            actions.set(again, LayerAction.RECOMPUTE);
            recompute.choose(again);
        }
        return true;
    }

    /**
     * Time from the end of a layer's way out to the latest beginning of its way in, in a step that has room for
     * everything; each way takes its turn behind those of the layers that are swapped already.
     */
    private static long freeNs(LayerCosts costs, List<LayerAction> actions, int layer) {
        PassState forward = PassState.START;
        PassState reversed = PassState.START;
        long away = 0;
        for (int i = 0; i < costs.count(); i++) {
            LayerAction action = i == layer ? LayerAction.SWAP : actions.get(i);
            forward = costs.forward(forward, i, action, StepSimulator.NO_LIMIT);
            reversed = costs.reversed(reversed, i, action, StepSimulator.NO_LIMIT);
            if (i == layer) {
                away = forward.linkFreeNs() + reversed.linkFreeNs();
            }
        }
        return forward.nowNs() + reversed.nowNs() - away;
    }

    /** A layer is made again from its input, which a policy always keeps. */
    private static RecomputeSources sources(LayerCosts costs) {
        List<Candidate> tensors = IntStream.range(0, costs.count())
                .mapToObj(i -> new Candidate(
                        costs.canRecompute(i) ? costs.savedBytes(i) - costs.heldBytes(i, LayerAction.RECOMPUTE) : 0,
                        costs.forwardNs(i),
                        Set.of()))
                .toList();
        return new RecomputeSources(tensors);
    }
}
