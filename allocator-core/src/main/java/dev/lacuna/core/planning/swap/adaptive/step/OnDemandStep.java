package dev.lacuna.core.planning.swap.adaptive.step;

import dev.lacuna.core.planning.swap.layer.LayerAction;
import java.util.ArrayList;
import java.util.List;

/**
 * A step in which the device stands still for every copy: out when there is no room, the oldest layer first, in when it
 * is read. Layers that are to be swapped and for which there was always room stay.
 */
final class OnDemandStep {
    private final LayerCosts costs;
    private final List<LayerAction> actions;
    private final long limitBytes;
    private final StepRecord record;
    private final long[] begunNs;
    private final long[] leftNs;
    private long nowNs;
    private long residentBytes;
    private int oldest;
    private boolean fits = true;

    OnDemandStep(LayerCosts costs, List<LayerAction> actions, long limitBytes) {
        this.costs = costs;
        this.actions = new ArrayList<>(actions);
        this.limitBytes = limitBytes;
        this.record = new StepRecord(costs);
        this.begunNs = new long[actions.size()];
        this.leftNs = new long[actions.size()];
        this.residentBytes = costs.otherBytes();
    }

    StepRun run() {
        for (int i = 0; i < actions.size(); i++) {
            forward(i);
        }
        for (; oldest < actions.size(); oldest++) {
            if (actions.get(oldest) == LayerAction.SWAP) {
                actions.set(oldest, LayerAction.KEEP);
            }
        }
        for (int i = 0; i < actions.size(); i++) {
            record.forward(i, actions.get(i), begunNs[i], leftNs[i]);
        }
        for (int i = actions.size() - 1; i >= 0; i--) {
            backward(i);
        }
        return record.run(actions, nowNs, fits);
    }

    private void forward(int layer) {
        long needs = costs.forwardBytes(layer, actions.get(layer));
        for (; residentBytes + needs > limitBytes && oldest < layer; oldest++) {
            if (actions.get(oldest) == LayerAction.SWAP) {
                nowNs += costs.copyOutNs(oldest);
                leftNs[oldest] = nowNs;
                residentBytes -= costs.savedBytes(oldest);
            }
        }
        residentBytes += needs;
        fits &= residentBytes <= limitBytes;
        begunNs[layer] = nowNs;
        nowNs += costs.forwardNs(layer);
    }

    private void backward(int layer) {
        LayerAction action = actions.get(layer);
        long copyNs = nowNs;
        nowNs += action == LayerAction.SWAP ? costs.copyInNs(layer) : 0;
        record.backward(layer, action, nowNs, copyNs);
        residentBytes += costs.backwardBytes(layer, action) - costs.heldBytes(layer, action);
        fits &= residentBytes <= limitBytes;
        residentBytes -= costs.backwardBytes(layer, action);
        nowNs += costs.backwardNs(layer, action);
    }
}
