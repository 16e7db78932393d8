package dev.lacuna.core.planning.swap.adaptive.step;

import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.util.List;

/**
 * A training step of a measured process under a policy and a limit: the only source of predicted times and peaks.
 *
 * <p>The device computes one layer after the other, forwards, then backwards. Each direction of the link carries one
 * layer at a time. What a layer keeps is allocated when it begins; what is swapped leaves as soon as the layer is over
 * and the link is free, and is given back when the copy has ended. A layer waits until there is room for it. The backward
 * pass begins when nothing is on its way out. What is swapped comes back in the order of need, as late as it can without
 * making anybody wait longer, and from its copy's begin takes room that no layer before it may lack. What a step does
 * beside the layers comes last and is not changed by a policy.
 *
 * <p>More memory never makes a step slower, since the order of all copies is fixed and each begins no later.
 */
public final class StepSimulator {
    /** More than any sum of a profile's bytes, and far from overflowing. */
    public static final long NO_LIMIT = Long.MAX_VALUE / 4;

    private final LayerCosts costs;

    /** @param profile what was measured */
    public StepSimulator(LayerProfile profile) {
        this.costs = new LayerCosts(profile);
    }

    public StepSimulator(LayerCosts costs) {
        this.costs = costs;
    }

    /**
     * A step whose copies go ahead of need.
     *
     * @param limitBytes most that may be allocated at once
     * @throws IllegalArgumentException when the policy is not about these layers
     */
    public StepRun run(LayerPolicy policy, long limitBytes) {
        List<LayerAction> actions = costs.effective(policy);
        Passes passes = new Passes(actions.size());
        boolean fits = passes.play(costs, actions, limitBytes);
        if (!fits) {
            passes.play(costs, actions, NO_LIMIT);
        }
        return passes.run(costs, actions, fits);
    }

    /** Time of the same step alone, for searches; the highest number there is where it does not fit. */
    public long fastStepNs(List<LayerAction> actions, long limitBytes) {
        List<LayerAction> effective = costs.effective(new LayerPolicy(actions));
        Passes passes = new Passes(effective.size());
        return passes.play(costs, effective, limitBytes) ? passes.passesNs() + costs.besideNs() : Long.MAX_VALUE;
    }

    /** A step whose copies happen only when memory is short and when a layer reads what is away; everybody waits for them. */
    public StepRun runOnDemand(LayerPolicy policy, long limitBytes) {
        List<LayerAction> actions = costs.effective(policy);
        return new OnDemandStep(costs, actions, limitBytes).run();
    }

    /** Times of both passes; those of the backward pass are counted from the step's end. */
    private static final class Passes {
        private final PassState[] forward;
        private final PassState[] reversed;

        Passes(int layers) {
            forward = new PassState[layers + 1];
            reversed = new PassState[layers + 1];
        }

        boolean play(LayerCosts costs, List<LayerAction> actions, long limitBytes) {
            forward[0] = PassState.START;
            reversed[0] = PassState.START;
            long held = costs.otherBytes();
            for (int i = 0; i < actions.size(); i++) {
                LayerAction action = actions.get(i);
                long room = limitBytes - held - costs.forwardBytes(i, action);
                long roomBack = limitBytes - held - costs.backwardBytes(i, action);
                if (room < 0 || roomBack < 0) {
                    return false;
                }
                forward[i + 1] = costs.forward(forward[i], i, action, room);
                reversed[i + 1] = costs.reversed(reversed[i], i, action, roomBack);
                held += costs.heldBytes(i, action);
            }
            return true;
        }

        long passesNs() {
            return forward[forward.length - 1].drainedNs() + reversed[reversed.length - 1].drainedNs();
        }

        StepRun run(LayerCosts costs, List<LayerAction> actions, boolean fits) {
            int layers = actions.size();
            long end = passesNs();
            StepRecord step = new StepRecord(costs);
            for (int i = 0; i < layers; i++) {
                PassState after = forward[i + 1];
                step.forward(i, actions.get(i), after.begunNs(), after.linkFreeNs());
            }
            for (int i = layers - 1; i >= 0; i--) {
                PassState after = reversed[i + 1];
                step.backward(i, actions.get(i), end - after.nowNs(), end - after.linkFreeNs());
            }
            return step.run(actions, end, fits);
        }
    }
}
