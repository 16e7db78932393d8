package dev.lacuna.core.planning.graph.checkpoint;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.graph.model.GraphPlan;
import dev.lacuna.core.planning.graph.model.GraphPlanner;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.planning.graph.model.SolverEffort;
import java.util.BitSet;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Keeps every n-th node of the forward pass, for the n that fits at the least cost; √n of them is the usual choice.
 * Source: Chen et al., arXiv 1604.06174, on the order of the graph as if it were a chain.
 */
public final class EveryNth implements GraphPlanner {
    /** Beyond that steps grow with n. */
    private static final int ALL_UP_TO = 200;

    @Override
    public String id() {
        return "chen-sqrt";
    }

    @Override
    public Optional<GraphPlan> plan(GraphProfile graph, long budgetBytes, SolverEffort effort, Patience patience) {
        int forward = graph.firstBackward();
        return BestWithin.of(id(), graph, budgetBytes, tried(forward).mapToObj(n -> every(n, forward)), patience);
    }

    /** The usual choice first; of long passes, where neighbours differ little, not every large n. */
    private static IntStream tried(int forward) {
        int usual = Math.max(1, (int) Math.round(Math.sqrt(forward)));
        IntStream all = IntStream.iterate(1, n -> n <= Math.max(1, forward), n -> n + 1 + n / ALL_UP_TO);
        return IntStream.concat(IntStream.of(usual), all);
    }

    private static BitSet every(int n, int forward) {
        BitSet kept = new BitSet(forward);
        for (int node = n - 1; node < forward; node += n) {
            kept.set(node);
        }
        return kept;
    }
}
