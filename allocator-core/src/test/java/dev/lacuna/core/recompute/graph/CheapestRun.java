package dev.lacuna.core.recompute.graph;

import java.util.Arrays;
import java.util.OptionalLong;
import java.util.PriorityQueue;

/**
 * The least cost of any schedule of a tiny graph whatever, stages or not: shortest paths between all sets of values
 * that can be there.
 */
final class CheapestRun {
    private CheapestRun() {}

    private record State(long cost, int frontier, int there) {}

    static OptionalLong cost(GraphProfile graph, long budgetBytes) {
        int size = graph.size();
        long[][] best = new long[size + 1][1 << size];
        for (long[] each : best) {
            Arrays.fill(each, Long.MAX_VALUE);
        }
        PriorityQueue<State> open = new PriorityQueue<>((a, b) -> Long.compare(a.cost, b.cost));
        open.add(new State(0, 0, 0));
        while (!open.isEmpty()) {
            State state = open.remove();
            if (state.frontier == size) {
                return OptionalLong.of(state.cost);
            }
            if (best[state.frontier][state.there] <= state.cost) {
                continue;
            }
            best[state.frontier][state.there] = state.cost;
            for (int node = 0; node <= state.frontier; node++) {
                if ((state.there >> node & 1) != 0) {
                    open.add(new State(state.cost, state.frontier, state.there & ~(1 << node)));
                } else if (runs(graph, node, state.there, budgetBytes)) {
                    open.add(new State(
                            state.cost + graph.nodes().get(node).cost(),
                            Math.max(state.frontier, node + 1),
                            state.there | 1 << node));
                }
            }
        }
        return OptionalLong.empty();
    }

    private static boolean runs(GraphProfile graph, int node, int there, long budgetBytes) {
        long alive = graph.fixedBytes() + graph.nodes().get(node).workspaceBytes();
        for (int i = 0; i < graph.size(); i++) {
            alive += i == node || (there >> i & 1) != 0 ? graph.nodes().get(i).bytes() : 0;
        }
        return alive <= budgetBytes
                && graph.nodes().get(node).inputs().stream().allMatch(input -> (there >> input & 1) != 0);
    }
}
