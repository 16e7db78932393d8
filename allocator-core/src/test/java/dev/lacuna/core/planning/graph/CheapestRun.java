package dev.lacuna.core.planning.graph;

import dev.lacuna.core.planning.graph.model.GraphProfile;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.PriorityQueue;

/** The least cost of any schedule of a tiny graph: shortest paths between all sets of values that can be there. */
final class CheapestRun {
    private CheapestRun() {}

    private record State(long cost, int frontier, int next, int there) {}

    /**
     * The least cost; empty when nothing can be run.
     *
     * @param staged whether nodes are computed again only in the graph's order between two first computations
     */
    static OptionalLong cost(GraphProfile graph, long budgetBytes, boolean staged) {
        int size = graph.size();
        long[][][] best = new long[size + 1][size + 1][1 << size];
        for (long[][] each : best) {
            for (long[] row : each) {
                Arrays.fill(row, Long.MAX_VALUE);
            }
        }
        PriorityQueue<State> open = new PriorityQueue<>((a, b) -> Long.compare(a.cost, b.cost));
        open.add(new State(0, 0, 0, 0));
        while (!open.isEmpty()) {
            State state = open.remove();
            if (state.frontier == size) {
                return OptionalLong.of(state.cost);
            }
            if (best[state.frontier][state.next][state.there] <= state.cost) {
                continue;
            }
            best[state.frontier][state.next][state.there] = state.cost;
            for (int node = 0; node <= state.frontier; node++) {
                if ((state.there >> node & 1) != 0) {
                    open.add(new State(state.cost, state.frontier, state.next, state.there & ~(1 << node)));
                } else if (node >= state.next && runs(graph, node, state.there, budgetBytes)) {
                    open.add(new State(
                            state.cost + graph.nodes().get(node).cost(),
                            Math.max(state.frontier, node + 1),
                            staged && node < state.frontier ? node + 1 : 0,
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
