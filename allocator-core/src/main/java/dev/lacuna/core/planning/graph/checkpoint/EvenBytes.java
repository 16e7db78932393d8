package dev.lacuna.core.planning.graph.checkpoint;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.graph.model.GraphNode;
import dev.lacuna.core.planning.graph.model.GraphPlan;
import dev.lacuna.core.planning.graph.model.GraphPlanner;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.planning.graph.model.SolverEffort;
import java.util.BitSet;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Keeps a node of the forward pass whenever the values since the last one that was kept exceed a bound; the bound is
 * searched. Source: Chen et al., arXiv 1604.06174, algorithm 3, on the order of the graph as if it were a chain.
 */
public final class EvenBytes implements GraphPlanner {
    /** As many bounds as for chains. */
    private static final int BOUNDS = 256;

    @Override
    public String id() {
        return "chen-greedy";
    }

    @Override
    public Optional<GraphPlan> plan(GraphProfile graph, long budgetBytes, SolverEffort effort, Patience patience) {
        int forward = graph.firstBackward();
        long all = graph.nodes().stream()
                .limit(forward)
                .mapToLong(GraphNode::bytes)
                .sum();
        return BestWithin.of(
                id(),
                graph,
                budgetBytes,
                IntStream.rangeClosed(0, BOUNDS)
                        .mapToObj(i -> closedBeyond(graph, forward, Math.round((double) all * i / BOUNDS))),
                patience);
    }

    private static BitSet closedBeyond(GraphProfile graph, int forward, long bound) {
        BitSet kept = new BitSet(forward);
        long since = 0;
        for (int node = 0; node < forward; node++) {
            since += graph.nodes().get(node).bytes();
            if (since > bound) {
                kept.set(node);
                since = 0;
            }
        }
        return kept;
    }
}
