package dev.lacuna.core.planning.graph.model;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.graph.retention.RetentionPlanner;
import java.util.List;
import java.util.Optional;

/**
 * A further solver for {@link RetentionPlanner}: one of integer programmes, say, that is not part of Lacuna. It gets
 * what is known and says what it can prove beyond that.
 */
public interface ExactGraphSolver {
    /** Short stable name, told with what the solver found or proved. */
    String name();

    /**
     * Looks for a cheaper schedule, or a proof that there is none.
     *
     * @param budgetBytes bytes for all values alive at once, fixed bytes included
     * @param patience how long it may take at most
     * @param known the cheapest schedule at hand and the bound so far; empty when none was found
     */
    Answer solve(
            GraphProfile graph, long budgetBytes, Optional<GraphPlan> known, SolverEffort effort, Patience patience);

    /** The same with all the time that the effort takes. */
    default Answer solve(GraphProfile graph, long budgetBytes, Optional<GraphPlan> known, SolverEffort effort) {
        return solve(graph, budgetBytes, known, effort, Patience.endless());
    }

    /**
     * What came of it.
     *
     * @param lowerBoundCost no schedule within the budget costs less; the base cost when nothing was proven
     * @param steps a schedule; {@link GraphRun} decides what it is worth
     */
    record Answer(long lowerBoundCost, Optional<List<GraphStep>> steps) {}
}
