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
final class GraphMethod implements PlanningMethod {
    /** A search may take as much time as so many simple methods. */
    private static final int SEARCHER = 10;

    private final String id;
    private final GraphPlanner planner;
    private final boolean searches;

    /** @param searches whether it may give up before it knows that nothing fits */
    GraphMethod(String id, GraphPlanner planner, boolean searches) {
        this.searches = searches;
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
    public PlanPoint plan(PlanningProfile profile, long budgetBytes, PlanningEffort effort, Patience patience) {
        if (!(profile instanceof PlanningProfile.Graph graph)) {
            return new PlanPoint.Failed(id, budgetBytes, PlanFailure.of(Reason.GRAPHS_ONLY));
        }
        return planner.plan(graph.graph(), budgetBytes, solver(effort), patience)
                .<PlanPoint>map(plan -> planned(graph.graph(), plan, budgetBytes, patience.cut()))
                .orElseGet(() -> new PlanPoint.Failed(
                        id, budgetBytes, PlanFailure.of(reason(graph, budgetBytes, patience.cut()))));
    }

    @Override
    public int share() {
        return planner instanceof RetentionPlanner ? SEARCHER : 1;
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
                id,
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
