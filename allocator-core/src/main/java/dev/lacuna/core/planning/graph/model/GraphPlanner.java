package dev.lacuna.core.planning.graph.model;

import dev.lacuna.core.base.Patience;
import java.util.Optional;

/** A way to choose what a graph recomputes. */
public interface GraphPlanner {
    /** Stable name, as on the command line. */
    String id();

    /**
     * The cheapest plan that this way finds within the budget; empty when it finds none.
     *
     * @param budgetBytes bytes for all values alive at once, fixed bytes included
     * @param patience when it is over, the best so far is the answer
     */
    Optional<GraphPlan> plan(GraphProfile graph, long budgetBytes, SolverEffort effort, Patience patience);

    /** The same with all the time that the effort takes. */
    default Optional<GraphPlan> plan(GraphProfile graph, long budgetBytes, SolverEffort effort) {
        return plan(graph, budgetBytes, effort, Patience.endless());
    }
}
