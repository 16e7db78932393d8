package dev.lacuna.core.planner;

import dev.lacuna.core.planner.PlanFailure.Reason;
import dev.lacuna.core.recompute.graph.GraphPlan;
import dev.lacuna.core.recompute.graph.GraphPlanner;
import dev.lacuna.core.recompute.graph.GraphProfile;
import dev.lacuna.core.recompute.graph.SolverEffort;
import java.util.Optional;
import java.util.OptionalDouble;

/** A planner of operator graphs. */
final class GraphMethod implements PlanningMethod {
    private final String id;
    private final GraphPlanner planner;

    GraphMethod(String id, GraphPlanner planner) {
        this.id = id;
        this.planner = planner;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public Optional<Reason> unsuited(PlanningProfile profile) {
        return profile instanceof PlanningProfile.Graph ? Optional.empty() : Optional.of(Reason.GRAPHS_ONLY);
    }

    @Override
    public PlanPoint plan(PlanningProfile profile, long budgetBytes, PlanningEffort effort) {
        if (!(profile instanceof PlanningProfile.Graph graph)) {
            return new PlanPoint.Failed(id, budgetBytes, PlanFailure.of(Reason.GRAPHS_ONLY));
        }
        return planner.plan(graph.graph(), budgetBytes, solver(effort))
                .<PlanPoint>map(plan -> planned(graph.graph(), plan, budgetBytes))
                .orElseGet(() -> new PlanPoint.Failed(id, budgetBytes, PlanFailure.of(reason(graph, budgetBytes))));
    }

    private static Reason reason(PlanningProfile.Graph graph, long budgetBytes) {
        return budgetBytes < graph.leastBytes() ? Reason.DOES_NOT_FIT : Reason.UNDECIDED;
    }

    private PlanPoint planned(GraphProfile graph, GraphPlan plan, long budgetBytes) {
        double base = Math.max(1, graph.baseCost());
        return new PlanPoint.Planned(
                id,
                budgetBytes,
                plan.peakBytes(),
                plan.cost(),
                plan.cost() / base,
                OptionalDouble.of(plan.lowerBoundCost() / base),
                plan.proven(),
                new PlannedChoice.Graph(plan));
    }

    private static SolverEffort solver(PlanningEffort effort) {
        return switch (effort) {
            case QUICK -> SolverEffort.QUICK;
            case USUAL -> SolverEffort.USUAL;
            case THOROUGH -> SolverEffort.THOROUGH;
        };
    }
}
