package dev.lacuna.core.planning.graph.reader;

import dev.lacuna.core.planning.graph.model.GraphProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeSet;

/** Collects the edges of a profile and gives an order in which they all go forward. */
final class ProfileEdges {
    /** A hundred per node of the largest graph. */
    private static final int MOST_EDGES = 1_000_000;

    private final List<TreeSet<Integer>> inputs = new ArrayList<>();
    private final List<TreeSet<Integer>> readers = new ArrayList<>();
    private int edges;

    ProfileEdges(int nodes) {
        if (nodes > GraphProfile.MOST_NODES) {
            throw new IllegalArgumentException("more than " + GraphProfile.MOST_NODES + " nodes");
        }
        for (int i = 0; i < nodes; i++) {
            inputs.add(new TreeSet<>());
            readers.add(new TreeSet<>());
        }
    }

    /** {@code reader} reads the value of {@code source}; said twice is said once. */
    void add(int source, int reader) {
        if (++edges > MOST_EDGES) {
            throw new IllegalArgumentException("more than " + MOST_EDGES + " edges");
        }
        inputs.get(reader).add(source);
        readers.get(source).add(reader);
    }

    /** Nodes in an order in which inputs come first; the order of the file when that is one. */
    int[] order() {
        int[] missing = inputs.stream().mapToInt(TreeSet::size).toArray();
        PriorityQueue<Integer> ready = new PriorityQueue<>();
        for (int node = 0; node < missing.length; node++) {
            if (missing[node] == 0) {
                ready.add(node);
            }
        }
        int[] order = new int[missing.length];
        int placed = 0;
        while (!ready.isEmpty()) {
            int node = ready.remove();
            order[placed++] = node;
            for (int reader : readers.get(node)) {
                if (--missing[reader] == 0) {
                    ready.add(reader);
                }
            }
        }
        if (placed < order.length) {
            throw new IllegalArgumentException("the graph has a cycle");
        }
        return order;
    }

    /** What a node reads, as positions in the order. */
    List<Integer> inputs(int node, int[] positions) {
        return inputs.get(node).stream()
                .map(source -> positions[source])
                .sorted()
                .toList();
    }

    /** The inverse of an order. */
    static int[] positions(int[] order) {
        int[] positions = new int[order.length];
        for (int i = 0; i < order.length; i++) {
            positions[order[i]] = i;
        }
        return positions;
    }
}
