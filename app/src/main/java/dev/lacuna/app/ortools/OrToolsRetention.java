package dev.lacuna.app.ortools;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.graph.model.ExactGraphSolver;
import dev.lacuna.core.planning.graph.model.GraphPlan;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.planning.graph.model.SolverEffort;
import java.util.Optional;

/** Optimal recomputation by OR-Tools where it is installed; proves nothing where it is not. A service of the core. */
public final class OrToolsRetention implements ExactGraphSolver {
    /** How a plan names this solver. */
    public static final String NAME = "or-tools";

    private final OrTools tools;

    /** Asks what the usual folder holds. */
    public OrToolsRetention() {
        this(OrTools.installed());
    }

    OrToolsRetention(OrTools tools) {
        this.tools = tools;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Answer solve(
            GraphProfile graph, long budgetBytes, Optional<GraphPlan> known, SolverEffort effort, Patience patience) {
        return tools.retention()
                .map(solver -> solver.solve(graph, budgetBytes, known, effort, patience))
                .orElseGet(() -> new Answer(graph.baseCost(), Optional.empty()));
    }
}
