package dev.lacuna.core.planning.graph.checkpoint;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.graph.model.GraphPlan;
import dev.lacuna.core.planning.graph.model.GraphPlanner;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.planning.graph.model.SolverEffort;
import dev.lacuna.core.planning.graph.model.StageSchedule;
import java.util.Optional;

/** Recomputes nothing: each value stays until its last use. */
public final class KeepAll implements GraphPlanner {
    @Override
    public String id() {
        return "store-all";
    }

    @Override
    public Optional<GraphPlan> plan(GraphProfile graph, long budgetBytes, SolverEffort effort, Patience patience) {
        return Optional.of(GraphPlan.of(
                        id(), graph, StageSchedule.withoutRecomputation(graph).steps(), graph.baseCost()))
                .filter(plan -> plan.peakBytes() <= budgetBytes);
    }
}
