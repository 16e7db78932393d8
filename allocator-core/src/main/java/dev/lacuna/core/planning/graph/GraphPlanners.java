package dev.lacuna.core.planning.graph;

import dev.lacuna.core.planning.graph.checkpoint.EvenBytes;
import dev.lacuna.core.planning.graph.checkpoint.EveryNth;
import dev.lacuna.core.planning.graph.checkpoint.KeepAll;
import dev.lacuna.core.planning.graph.model.ExactGraphSolver;
import dev.lacuna.core.planning.graph.model.GraphPlanner;
import dev.lacuna.core.planning.graph.retention.RetentionPlanner;
import dev.lacuna.core.planning.online.victim.EvictionHeuristic;
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
                new OnlinePlanner("dtr", EvictionHeuristic.DTR_EQ),
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
