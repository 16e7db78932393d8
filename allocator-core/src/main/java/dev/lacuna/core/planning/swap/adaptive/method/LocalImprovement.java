package dev.lacuna.core.planning.swap.adaptive.method;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.swap.adaptive.step.StepSimulator;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import java.util.ArrayList;
import java.util.List;

/** Makes a policy faster by giving one layer another action, or two layers each other's, for as long as that helps. */
final class LocalImprovement {
    private static final int MOST_SIMULATIONS = 30_000;

    private final StepSimulator simulator;
    private final long limitBytes;
    private final Patience patience;
    private int left = MOST_SIMULATIONS;
    private List<LayerAction> actions;
    private long stepNs;

    private LocalImprovement(StepSimulator simulator, LayerPolicy policy, long limitBytes, Patience patience) {
        this.simulator = simulator;
        this.limitBytes = limitBytes;
        this.patience = patience;
        this.actions = new ArrayList<>(policy.actions());
        this.stepNs = simulator.run(policy, limitBytes).stepNs();
    }

    /** A policy that fits and is no slower than this one, which fits. */
    static LayerPolicy of(StepSimulator simulator, LayerPolicy policy, long limitBytes, Patience patience) {
        LocalImprovement search = new LocalImprovement(simulator, policy, limitBytes, patience);
        while (search.changeOne() || search.exchangeTwo()) {
            // Each round is faster than the one before, or the last.
        }
        return new LayerPolicy(search.actions);
    }

    private boolean changeOne() {
        boolean improved = false;
        for (int i = 0; i < actions.size(); i++) {
            for (LayerAction action : LayerAction.values()) {
                if (action != actions.get(i)) {
                    List<LayerAction> next = new ArrayList<>(actions);
                    next.set(i, action);
                    improved |= take(next);
                }
            }
        }
        return improved;
    }

    private boolean exchangeTwo() {
        boolean improved = false;
        for (int i = 0; i < actions.size(); i++) {
            for (int j = i + 1; j < actions.size(); j++) {
                if (actions.get(i) != actions.get(j)) {
                    List<LayerAction> next = new ArrayList<>(actions);
                    next.set(i, actions.get(j));
                    next.set(j, actions.get(i));
                    improved |= take(next);
                }
            }
        }
        return improved;
    }

    private boolean take(List<LayerAction> next) {
        if (left == 0 || patience.isOver()) {
            return false;
        }
        left--;
        long ns = simulator.fastStepNs(next, limitBytes);
        if (ns >= stepNs) {
            return false;
        }
        stepNs = ns;
        actions = next;
        return true;
    }
}
