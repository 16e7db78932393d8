package dev.lacuna.core.recompute.graph;

import java.util.BitSet;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** The cheapest of several sets of checkpoints that fits. */
final class BestWithin {
    private BestWithin() {}

    static Optional<GraphPlan> of(String planner, GraphProfile graph, long budgetBytes, Stream<BitSet> kept) {
        return kept.distinct()
                .map(each -> GraphPlan.of(
                        planner, graph, Checkpoints.schedule(graph, each).steps(), graph.baseCost()))
                .filter(plan -> plan.peakBytes() <= budgetBytes)
                .min(Comparator.comparingLong(GraphPlan::cost).thenComparingLong(GraphPlan::peakBytes));
    }
}
