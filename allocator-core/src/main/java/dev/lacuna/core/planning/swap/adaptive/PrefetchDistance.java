package dev.lacuna.core.planning.swap.adaptive;

import dev.lacuna.core.config.mindformers.LayerGrid;
import dev.lacuna.core.planning.swap.adaptive.step.LayerCosts;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How many operators ahead of need the activations of a swapped layer begin to come back: MindFormers' {@code
 * backward_prefetch}.
 *
 * <p>A layer's operators are taken for alike. With r the time of its copy over that of its backward pass, an operator's copy
 * takes r operators. Where r is at most 1, one operator ahead is early enough for all that follow. Where it is more, copies
 * queue on the link: the k-th operator of a row of swapped layers waits r + (k − 1)·(r − 1), so that is how early its copy has
 * to begin. What comes back early takes room early; nothing more than hides the copy is asked for.
 */
public final class PrefetchDistance {
    /** Operators of a layer that MindFormers can name. */
    private static final int OPERATORS = LayerGrid.operators().size();

    private PrefetchDistance() {}

    /**
     * For each layer of a profile; 1 for those that are not swapped.
     *
     * @param policy an action for each layer
     */
    public static List<Integer> of(LayerProfile profile, LayerPolicy policy) {
        LayerCosts costs = new LayerCosts(profile);
        List<LayerAction> actions = costs.effective(policy);
        List<Integer> ahead = new ArrayList<>(Collections.nCopies(costs.count(), 1));
        int row = 0;
        int before = 0;
        // The backward pass: from the last layer to the first.
        for (int layer = costs.count() - 1; layer >= 0; layer--) {
            row = actions.get(layer) == LayerAction.SWAP ? row + OPERATORS : 0;
            if (row > 0 && costs.backwardNs(layer, LayerAction.SWAP) > 0) {
                double ratio = (double) costs.copyInNs(layer) / costs.backwardNs(layer, LayerAction.SWAP);
                double needed = Math.ceil(ratio + (row - 1) * Math.max(0, ratio - 1) - 1e-9);
                // Earlier than the backward pass itself begins is no use.
                ahead.set(layer, (int) Math.max(1, Math.min(needed, Math.max(1, before))));
            }
            before += OPERATORS;
        }
        return List.copyOf(ahead);
    }
}
