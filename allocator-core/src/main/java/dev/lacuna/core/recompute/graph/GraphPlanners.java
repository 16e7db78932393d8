package dev.lacuna.core.recompute.graph;

import java.util.List;

/** All planners for graphs, the simplest first. */
public final class GraphPlanners {
    private GraphPlanners() {}

    /** One of each. */
    public static List<GraphPlanner> all() {
        return List.of(new KeepAll(), new EveryNth(), new EvenBytes(), new RetentionPlanner());
    }
}
