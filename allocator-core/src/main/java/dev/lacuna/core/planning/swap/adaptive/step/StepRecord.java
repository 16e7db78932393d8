package dev.lacuna.core.planning.swap.adaptive.step;

import dev.lacuna.core.planning.swap.layer.LayerAction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects what happened when in a step, and adds it up. */
final class StepRecord {
    private final LayerCosts costs;
    private final List<StepRun.Copy> copies = new ArrayList<>();
    private final List<StepRun.Level> changes = new ArrayList<>();
    private long copyNs;

    StepRecord(LayerCosts costs) {
        this.costs = costs;
    }

    /** @param copiedNs when the way out ends, of a swapped layer */
    void forward(int layer, LayerAction action, long begunNs, long copiedNs) {
        changes.add(new StepRun.Level(begunNs, costs.forwardBytes(layer, action)));
        if (action == LayerAction.SWAP) {
            copy(layer, true, copiedNs - costs.copyOutNs(layer), copiedNs);
            changes.add(new StepRun.Level(copiedNs, -costs.savedBytes(layer)));
        }
    }

    /** @param copyNs when the way in begins, of a swapped layer */
    void backward(int layer, LayerAction action, long begunNs, long copyNs) {
        long comes = costs.backwardBytes(layer, action) - costs.heldBytes(layer, action);
        if (action == LayerAction.SWAP) {
            copy(layer, false, copyNs, copyNs + costs.copyInNs(layer));
        }
        if (comes > 0) {
            changes.add(new StepRun.Level(action == LayerAction.SWAP ? copyNs : begunNs, comes));
        }
        long over = begunNs + costs.backwardNs(layer, action);
        changes.add(new StepRun.Level(over, -costs.backwardBytes(layer, action)));
    }

    private void copy(int layer, boolean out, long beginNs, long endNs) {
        copies.add(new StepRun.Copy(layer, out, beginNs, endNs));
        copyNs += endNs - beginNs;
    }

    StepRun run(List<LayerAction> actions, long passesNs, boolean fits) {
        // What ends at a moment makes room for what begins then.
        changes.sort(Comparator.comparingLong(StepRun.Level::atNs).thenComparingLong(StepRun.Level::bytes));
        List<StepRun.Level> levels = new ArrayList<>();
        long now = costs.otherBytes();
        long peak = now;
        levels.add(new StepRun.Level(0, now));
        for (StepRun.Level change : changes) {
            now += change.bytes();
            peak = Math.max(peak, now);
            if (levels.get(levels.size() - 1).atNs() == change.atNs()) {
                levels.remove(levels.size() - 1);
            }
            levels.add(new StepRun.Level(change.atNs(), now));
        }
        long recompute = 0;
        for (int i = 0; i < actions.size(); i++) {
            recompute += costs.backwardNs(i, actions.get(i)) - costs.backwardNs(i, LayerAction.KEEP);
        }
        long compute = costs.computeNs();
        return new StepRun(
                passesNs + costs.besideNs(),
                compute + costs.besideNs(),
                recompute,
                copyNs,
                passesNs - compute - recompute,
                peak,
                fits,
                copies,
                levels);
    }
}
