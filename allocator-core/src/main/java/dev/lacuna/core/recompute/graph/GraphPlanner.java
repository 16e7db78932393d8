package dev.lacuna.core.recompute.graph;

import java.util.Optional;

/** A way to choose what a graph recomputes. */
public interface GraphPlanner {
    /** Stable name, as on the command line. */
    String name();

    /**
     * The cheapest plan that this way finds within the budget; empty when it finds none.
     *
     * @param budgetBytes bytes for all values alive at once, fixed bytes included
     */
    Optional<GraphPlan> plan(GraphProfile graph, long budgetBytes, SolverEffort effort);
}
