package dev.lacuna.core.planning.graph.model;

import java.util.List;

/**
 * A schedule for a graph, what it takes, and how far from the best it can be.
 *
 * @param planner name of what made it
 * @param steps the schedule
 * @param cost cost of all computations, in the profile's unit, as {@link GraphRun} adds it up
 * @param peakBytes most bytes alive at once, fixed bytes included
 * @param lowerBoundCost no schedule within the budget costs less
 * @param scheduleBy the solver that found the schedule: {@link #OWN}, or the name of a further one
 * @param boundBy the solver that proved the bound, likewise
 */
public record GraphPlan(
        String planner,
        List<GraphStep> steps,
        long cost,
        long peakBytes,
        long lowerBoundCost,
        String scheduleBy,
        String boundBy) {
    /** What Lacuna itself finds and proves is told by this name. */
    public static final String OWN = "lacuna";

    public GraphPlan {
        steps = List.copyOf(steps);
        if (lowerBoundCost > cost) {
            throw new IllegalArgumentException("a bound of " + lowerBoundCost + " above a cost of " + cost);
        }
    }

    /** The plan that this schedule of Lacuna's own makes, by running it. */
    public static GraphPlan of(String planner, GraphProfile graph, List<GraphStep> steps, long lowerBoundCost) {
        GraphRun run = new GraphRun(graph, steps);
        return new GraphPlan(planner, steps, run.cost(), run.peakBytes(), lowerBoundCost, OWN, OWN);
    }

    public GraphPlan foundBy(String solver) {
        return new GraphPlan(planner, steps, cost, peakBytes, lowerBoundCost, solver, boundBy);
    }

    /** The same with a planner's name and a bound; a bound above the cost is cut to it. */
    public GraphPlan with(String name, long lowerCost, String provedBy) {
        return new GraphPlan(name, steps, cost, peakBytes, Math.min(cost, lowerCost), scheduleBy, provedBy);
    }

    /** Share of the cost that is not proven to be necessary, 0 to 1. */
    public double gap() {
        return cost == 0 ? 0 : (double) (cost - lowerBoundCost) / cost;
    }

    /** Whether no schedule within the budget is cheaper. */
    public boolean proven() {
        return cost == lowerBoundCost;
    }
}
