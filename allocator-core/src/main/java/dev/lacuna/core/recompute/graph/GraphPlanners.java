package dev.lacuna.core.recompute.graph;

import dev.lacuna.core.recompute.online.EvictionHeuristic;
import java.util.List;

/** All planners for graphs, the simplest first. */
public final class GraphPlanners {
    private GraphPlanners() {}

    /** One of each. */
    public static List<GraphPlanner> all() {
        return List.of(
                new KeepAll(),
                new EveryNth(),
                new EvenBytes(),
                new OnlinePlanner("dtr", EvictionHeuristic.DTR),
                new OnlinePlanner("dtr-eq", EvictionHeuristic.DTR_EQ),
                new OnlinePlanner("dtr-msps", EvictionHeuristic.MSPS),
                new RetentionPlanner());
    }
}
