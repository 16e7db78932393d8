package dev.lacuna.app.ortools.cpsat;

import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.planning.graph.model.GraphStep;
import java.util.BitSet;
import java.util.List;

/** What a schedule, step by step, computes in each stage and has at the beginning of each. */
final class StagesOfSteps {
    private final BitSet[] computed;
    private final BitSet[] kept;

    StagesOfSteps(GraphProfile graph, List<GraphStep> steps) {
        int size = graph.size();
        computed = new BitSet[size];
        kept = new BitSet[size];
        BitSet there = new BitSet(size);
        int stage = -1;
        int next = 0;
        for (GraphStep step : steps) {
            if (step.kind() == GraphStep.Kind.FREE) {
                there.clear(step.node());
                continue;
            }
            if (stage < next) {
                stage = next;
                computed[stage] = new BitSet(size);
                kept[stage] = (BitSet) there.clone();
            }
            computed[stage].set(step.node());
            there.set(step.node());
            next += step.node() == next ? 1 : 0;
        }
    }

    boolean computes(int stage, int node) {
        return computed[stage].get(node);
    }

    boolean keeps(int stage, int node) {
        return kept[stage].get(node);
    }
}
