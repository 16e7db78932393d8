package dev.lacuna.core.swap.adaptive;

import dev.lacuna.core.swap.adaptive.RecomputeSources.Candidate;
import dev.lacuna.core.swap.layer.LayerAction;
import dev.lacuna.core.swap.layer.LayerPolicy;
import dev.lacuna.core.swap.layer.LayerProfile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * As Capuchin decides after its measured step (Peng et al., ASPLOS 2020): what is not read for the longest time is
 * swapped first, as long as that time covers both copies; then, layer by layer, whichever costs less: the rest of a swap
 * that no longer hides, or recomputing what frees most memory per second. It takes layers until the step fits. Its first,
 * passive step is {@link LeastRecentlyUsed}; its feedback on prefetches has nothing left to correct here, since the
 * simulator brings everything back in time.
 */
final class Capuchin implements AdaptiveMethod {
    @Override
    public String name() {
        return "capuchin";
    }

    @Override
    public AdaptivePlan plan(LayerProfile profile, long limitBytes) {
        LayerCosts costs = new LayerCosts(profile);
        StepSimulator simulator = new StepSimulator(costs);
        List<LayerAction> actions =
                new ArrayList<>(LayerPolicy.all(LayerAction.KEEP, costs.count()).actions());
        long[] free = freeNs(costs);
        PriorityQueue<Integer> swaps = new PriorityQueue<>(
                Comparator.<Integer>comparingLong(i -> -free[i]).thenComparing(Comparator.naturalOrder()));
        IntStream.range(0, costs.count()).filter(costs::canSwap).forEach(swaps::add);
        RecomputeSources recompute = sources(costs);
        LayerPolicy policy = new LayerPolicy(actions);
        StepRun run = simulator.run(policy, limitBytes);
        while (!run.fits() && take(swaps, recompute, free, actions)) {
            policy = new LayerPolicy(actions);
            run = simulator.run(policy, limitBytes);
        }
        return AdaptivePlan.of(name(), run, policy);
    }

    private static boolean take(
            PriorityQueue<Integer> swaps, RecomputeSources recompute, long[] free, List<LayerAction> actions) {
        int swap = swaps.isEmpty() ? -1 : swaps.peek();
        int again = recompute.best();
        if (swap < 0 && again < 0) {
            return false;
        }
        if (again < 0 || swap >= 0 && -free[swap] <= recompute.addedNs(again)) {
            actions.set(swap, LayerAction.SWAP);
            swaps.remove(swap);
            recompute.withdraw(swap);
        } else {
            actions.set(again, LayerAction.RECOMPUTE);
            recompute.choose(again);
            swaps.remove(again);
        }
        return true;
    }

    /** How long each layer is not read between its passes, less both copies, in a step that keeps all. */
    private static long[] freeNs(LayerCosts costs) {
        long[] free = new long[costs.count()];
        long between = 0;
        for (int i = costs.count() - 1; i >= 0; i--) {
            free[i] = between - costs.copyOutNs(i) - costs.copyInNs(i);
            between += costs.forwardNs(i) + costs.backwardNs(i, LayerAction.KEEP);
        }
        return free;
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
