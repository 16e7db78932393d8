package dev.lacuna.core.planning.graph.checkpoint;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.graph.model.GraphPlan;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** The cheapest of several sets of checkpoints that fits. */
final class BestWithin {
    private BestWithin() {}

    private static final class Tries {
        private final Patience patience;
        private boolean first = true;

        Tries(Patience patience) {
            this.patience = patience;
        }

        boolean goOn(BitSet any) {
            boolean goes = first || !patience.isOver();
            first = false;
            return goes;
        }
    }

    static Optional<GraphPlan> of(
            String planner, GraphProfile graph, long budgetBytes, Stream<BitSet> kept, Patience patience) {
        // The first is tried in any case, so that there is something to say.
        return kept.distinct()
                .takeWhile(new Tries(patience)::goOn)
                .map(each -> GraphPlan.of(
                        planner, graph, Checkpoints.schedule(graph, each).steps(), graph.baseCost()))
                .filter(plan -> plan.peakBytes() <= budgetBytes)
                .min(Comparator.comparingLong(GraphPlan::cost).thenComparingLong(GraphPlan::peakBytes));
    }
}
