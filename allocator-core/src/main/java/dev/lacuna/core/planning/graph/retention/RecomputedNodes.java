package dev.lacuna.core.planning.graph.retention;

import java.util.Arrays;

/** The nodes that each stage computes again, ascending. */
final class RecomputedNodes {
    private final int[][] nodes;
    private final int[] counts;

    RecomputedNodes(int stages) {
        nodes = new int[stages][8];
        counts = new int[stages];
    }

    int count(int stage) {
        return counts[stage];
    }

    /** The first {@link #count} of these are the stage's nodes; until the next change, and not to be changed. */
    int[] nodes(int stage) {
        return nodes[stage];
    }

    void add(int stage, int node) {
        int at = counts[stage];
        if (at == nodes[stage].length) {
            nodes[stage] = Arrays.copyOf(nodes[stage], 2 * at);
        }
        int[] row = nodes[stage];
        for (; at > 0 && row[at - 1] > node; at--) {
            row[at] = row[at - 1];
        }
        row[at] = node;
        counts[stage]++;
    }

    void remove(int stage, int node) {
        int[] row = nodes[stage];
        int at = Arrays.binarySearch(row, 0, counts[stage], node);
        counts[stage]--;
        System.arraycopy(row, at + 1, row, at, counts[stage] - at);
    }
}
