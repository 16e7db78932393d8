package dev.lacuna.core.recompute.graph;

import dev.lacuna.core.recompute.online.EvictionHeuristic;
import java.util.List;
import java.util.ServiceLoader;

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
                new RetentionPlanner(installed()));
    }

    /** Further solvers that the program around this library brings, as services. */
    private static List<ExactGraphSolver> installed() {
        return ServiceLoader.load(ExactGraphSolver.class, ExactGraphSolver.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }
}
