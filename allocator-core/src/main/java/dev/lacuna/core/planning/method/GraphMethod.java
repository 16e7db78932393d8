package dev.lacuna.core.planning.method;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.graph.model.GraphPlan;
import dev.lacuna.core.planning.graph.model.GraphPlanner;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.planning.graph.model.SolverEffort;
import dev.lacuna.core.planning.graph.retention.RetentionPlanner;
import dev.lacuna.core.planning.method.PlanFailure.Reason;
import java.util.Optional;
import java.util.OptionalDouble;

/** A planner of operator graphs. */
final class GraphMethod extends MethodFor<PlanningProfile.Graph> {
    private final GraphPlanner planner;
    private final boolean searches;

    /** @param searches whether it may give up before it knows that nothing fits */
    GraphMethod(GraphPlanner planner, boolean searches) {
        super(planner.id(), Reason.GRAPHS_ONLY, planner instanceof RetentionPlanner);
        this.searches = searches;
        this.planner = planner;
    }

    @Override
    Optional<PlanningProfile.Graph> read(PlanningProfile profile) {
        return profile instanceof PlanningProfile.Graph graph ? Optional.of(graph) : Optional.empty();
    }

    @Override
    PlanPoint plan(
            PlanningProfile.Graph graph,
            PlanningProfile profile,
            long budgetBytes,
            PlanningEffort effort,
            Patience patience) {
        return planner.plan(graph.graph(), budgetBytes, solver(effort), patience)
                .<PlanPoint>map(plan -> planned(graph.graph(), plan, budgetBytes, patience.cut()))
                .orElseGet(() -> failed(budgetBytes, reason(graph, budgetBytes, patience.cut())));
    }

    private Reason reason(PlanningProfile.Graph graph, long budgetBytes, boolean cut) {
        if (cut && budgetBytes >= graph.leastBytes()) {
            return Reason.OUT_OF_TIME;
        }
        return !searches || budgetBytes < graph.leastBytes() ? Reason.DOES_NOT_FIT : Reason.UNDECIDED;
    }

    private PlanPoint planned(GraphProfile graph, GraphPlan plan, long budgetBytes, boolean cut) {
        double base = Math.max(1, graph.baseCost());
        return new PlanPoint.Planned(
                id(),
                budgetBytes,
                plan.peakBytes(),
                plan.cost(),
                plan.cost() / base,
                OptionalDouble.of(plan.lowerBoundCost() / base),
                plan.proven(),
                cut && !plan.proven(),
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
