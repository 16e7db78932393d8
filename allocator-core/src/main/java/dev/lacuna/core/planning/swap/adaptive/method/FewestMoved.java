package dev.lacuna.core.planning.swap.adaptive.method;

import dev.lacuna.core.planning.swap.adaptive.step.LayerCosts;
import dev.lacuna.core.planning.swap.adaptive.step.StepSimulator;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Of equally fast policies one that copies little: layers that need not be swapped or recomputed are kept.
 *
 * <p>A search for time alone swaps whatever a link takes along for nothing; on a machine that link, host memory and power
 * are somebody's too. Layers are turned back one at a time, in three orders, and the result that moves the fewest bytes
 * stands: none of its layers could be kept as well, but a smaller set elsewhere is not ruled out.
 */
final class FewestMoved {
    private final StepSimulator simulator;
    private final LayerCosts costs;
    private final long limitBytes;
    private final long stepNs;

    private FewestMoved(StepSimulator simulator, LayerCosts costs, long limitBytes, long stepNs) {
        this.simulator = simulator;
        this.costs = costs;
        this.limitBytes = limitBytes;
        this.stepNs = stepNs;
    }

    /** A policy that fits as this one does, takes the same time, and moves no more. */
    static LayerPolicy of(StepSimulator simulator, LayerCosts costs, LayerPolicy policy, long limitBytes) {
        List<LayerAction> actions = costs.effective(policy);
        long stepNs = simulator.fastStepNs(actions, limitBytes);
        FewestMoved search = new FewestMoved(simulator, costs, limitBytes, stepNs);
        Comparator<Integer> earliest = Comparator.naturalOrder();
        Comparator<Integer> largest = Comparator.comparingLong(costs::savedBytes);
        return new LayerPolicy(List.of(largest.reversed(), earliest, earliest.reversed()).stream()
                .map(order -> search.kept(actions, order))
                .min(Comparator.comparingLong(search::movedBytes))
                .orElseThrow());
    }

    private List<LayerAction> kept(List<LayerAction> actions, Comparator<Integer> order) {
        List<LayerAction> now = new ArrayList<>(actions);
        for (int layer :
                IntStream.range(0, actions.size()).boxed().sorted(order).toList()) {
            LayerAction before = now.set(layer, LayerAction.KEEP);
            if (before != LayerAction.KEEP && simulator.fastStepNs(now, limitBytes) > stepNs) {
                now.set(layer, before);
            }
        }
        return now;
    }

    private long movedBytes(List<LayerAction> actions) {
        return IntStream.range(0, actions.size())
                .filter(layer -> actions.get(layer) == LayerAction.SWAP)
                .mapToLong(costs::savedBytes)
                .sum();
    }
}
