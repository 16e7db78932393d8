package dev.lacuna.core.recompute.graph;

import java.util.BitSet;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Keeps every n-th node of the forward pass, for the n that fits at the least cost; √n of them is the usual choice.
 * Source: Chen et al., arXiv 1604.06174, on the order of the graph as if it were a chain.
 */
public final class EveryNth implements GraphPlanner {
    @Override
    public String name() {
        return "chen-sqrt";
    }

    @Override
    public Optional<GraphPlan> plan(GraphProfile graph, long budgetBytes, SolverEffort effort) {
        int forward = graph.firstBackward();
        return BestWithin.of(
                name(),
                graph,
                budgetBytes,
                IntStream.rangeClosed(1, Math.max(1, forward)).mapToObj(n -> every(n, forward)));
    }

    private static BitSet every(int n, int forward) {
        BitSet kept = new BitSet(forward);
        for (int node = n - 1; node < forward; node += n) {
            kept.set(node);
        }
        return kept;
    }
}
