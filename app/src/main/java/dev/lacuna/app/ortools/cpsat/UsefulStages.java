package dev.lacuna.app.ortools.cpsat;

import dev.lacuna.core.planning.graph.model.GraphNode;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import java.util.ArrayList;
import java.util.List;

/**
 * What may be recomputed or kept at all by a schedule that recomputes for no more than some cost: a value is of use in a stage when
 * a first computation from there on reads it, or a recomputation that is itself of use. The cheapest such chain must be affordable.
 */
final class UsefulStages {
    private static final long NEVER = Long.MAX_VALUE / 4;

    private final GraphProfile graph;
    private final long spare;
    private final int[][] users;
    /** By stage and node: least further recomputation that a value there serves. */
    private final long[][] served;

    /** @param spare most cost of all recomputations */
    UsefulStages(GraphProfile graph, long spare) {
        this.graph = graph;
        this.spare = spare;
        users = users(graph);
        served = new long[graph.size()][];
        for (int stage = 0; stage < served.length; stage++) {
            served[stage] = served(stage);
        }
    }

    private static int[][] users(GraphProfile graph) {
        List<List<Integer>> users = new ArrayList<>();
        for (int i = 0; i < graph.size(); i++) {
            users.add(new ArrayList<>());
            for (int input : graph.nodes().get(i).inputs()) {
                users.get(input).add(i);
            }
        }
        return users.stream()
                .map(each -> each.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new);
    }

    private long[] served(int stage) {
        long[] least = new long[stage];
        for (int node = stage - 1; node >= 0; node--) {
            least[node] = NEVER;
            for (int user : users[node]) {
                long chain = user >= stage ? 0 : least[user] + node(user).cost();
                least[node] = Math.min(least[node], chain);
            }
        }
        return least;
    }

    private GraphNode node(int index) {
        return graph.nodes().get(index);
    }

    /** The nodes that read a node's value, ascending. */
    int[] users(int node) {
        return users[node];
    }

    /** Whether it may pay to have the value of an earlier node at the beginning of a stage. */
    boolean keeps(int stage, int node) {
        return served[stage][node] <= spare;
    }

    /** Whether it may pay to compute an earlier node again in a stage. */
    boolean computes(int stage, int node) {
        return served[stage][node] <= spare - node(node).cost();
    }
}
