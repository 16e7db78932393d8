package dev.lacuna.core.planning.graph;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.graph.model.GraphNode;
import dev.lacuna.core.planning.graph.model.GraphPlan;
import dev.lacuna.core.planning.graph.model.GraphPlanner;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.planning.graph.model.GraphStep;
import dev.lacuna.core.planning.graph.model.SolverEffort;
import dev.lacuna.core.planning.online.OnlineRecomputation;
import dev.lacuna.core.planning.online.OnlineRun;
import dev.lacuna.core.planning.online.ScheduleWatcher;
import dev.lacuna.core.planning.online.program.OperatorProgram;
import dev.lacuna.core.planning.online.victim.EvictionHeuristic;
import dev.lacuna.core.planning.online.victim.SearchShortcuts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What dynamic rematerialisation would do on the graph: the step runs as a program that does not know its future, and
 * a heuristic evicts what does not fit. Source: Kirisame et al., "Dynamic Tensor Rematerialization", ICLR 2021.
 */
public final class OnlinePlanner implements GraphPlanner {
    private final String id;
    private final EvictionHeuristic heuristic;

    /** @param heuristic one that needs no places in memory */
    public OnlinePlanner(String id, EvictionHeuristic heuristic) {
        this.id = id;
        this.heuristic = heuristic;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public Optional<GraphPlan> plan(GraphProfile graph, long budgetBytes, SolverEffort effort, Patience patience) {
        long room = budgetBytes
                - graph.fixedBytes()
                - graph.nodes().stream()
                        .mapToLong(GraphNode::workspaceBytes)
                        .max()
                        .orElse(0);
        if (room < 0) {
            return Optional.empty();
        }
        List<GraphStep> steps = new ArrayList<>();
        OnlineRun run = OnlineRecomputation.run(
                program(graph),
                room,
                heuristic,
                SearchShortcuts.NONE,
                false,
                OnlineRecomputation.USUAL_LIMIT,
                noting(steps),
                patience);
        return run.outcome() == OnlineRun.Outcome.FINISHED
                ? Optional.of(GraphPlan.of(id, graph, steps, graph.baseCost()))
                        .filter(plan -> plan.peakBytes() <= budgetBytes)
                : Optional.empty();
    }

    private static ScheduleWatcher noting(List<GraphStep> steps) {
        return new ScheduleWatcher() {
            @Override
            public void computed(int firstOutput) {
                steps.add(GraphStep.compute(firstOutput));
            }

            @Override
            public void evicted(int storage) {
                steps.add(GraphStep.free(storage));
            }
        };
    }

    /** Each node is a call with one output of its own, released after its last reader. */
    private static OperatorProgram program(GraphProfile graph) {
        int[] lastReader = new int[graph.size()];
        for (int i = 0; i < graph.size(); i++) {
            lastReader[i] = i;
            for (int input : graph.nodes().get(i).inputs()) {
                lastReader[input] = i;
            }
        }
        List<List<Integer>> released = new ArrayList<>();
        for (int i = 0; i < graph.size(); i++) {
            released.add(new ArrayList<>());
        }
        for (int i = 0; i < graph.size(); i++) {
            released.get(lastReader[i]).add(i);
        }
        OperatorProgram.Builder program = new OperatorProgram.Builder();
        for (int i = 0; i < graph.size(); i++) {
            GraphNode node = graph.nodes().get(i);
            int[] inputs = node.inputs().stream().mapToInt(Integer::intValue).toArray();
            program.call("operator", node.cost(), inputs, new long[] {node.bytes()}, new int[] {-1});
            released.get(i).forEach(program::release);
        }
        return program.build();
    }
}
