package dev.lacuna.core.recompute.graph;

import dev.lacuna.core.patience.Patience;
import java.util.Optional;

/** Recomputes nothing: each value stays until its last use. */
public final class KeepAll implements GraphPlanner {
    @Override
    public String name() {
        return "keep-all";
    }

    @Override
    public Optional<GraphPlan> plan(GraphProfile graph, long budgetBytes, SolverEffort effort, Patience patience) {
        return Optional.of(GraphPlan.of(
                        name(), graph, StageSchedule.withoutRecomputation(graph).steps(), graph.baseCost()))
                .filter(plan -> plan.peakBytes() <= budgetBytes);
    }
}
