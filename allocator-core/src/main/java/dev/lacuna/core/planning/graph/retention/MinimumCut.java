package dev.lacuna.core.planning.graph.retention;

import java.util.Arrays;

/** Minimum cuts between two ends of a network whose capacities change (Dinic 1970). */
final class MinimumCut {
    /** More than any sum of capacities. */
    static final long UNCUTTABLE = 1L << 60;

    private final int source;
    private final int sink;
    private final int[] first;
    /** By arc; arc i and its reverse are i and i ^ 1. */
    private int[] next = new int[64];

    private int[] head = new int[64];
    private long[] capacity = new long[64];
    private long[] residual = new long[64];
    private int arcs;
    private final int[] level;
    private final int[] current;
    private final int[] queue;

    /** A network of so many nodes without arcs. */
    MinimumCut(int nodes, int source, int sink) {
        this.source = source;
        this.sink = sink;
        first = new int[nodes];
        Arrays.fill(first, -1);
        level = new int[nodes];
        current = new int[nodes];
        queue = new int[nodes];
    }

    /** Adds an arc and returns its number. */
    int arc(int from, int to, long most) {
        if (arcs + 2 > head.length) {
            next = Arrays.copyOf(next, 2 * arcs);
            head = Arrays.copyOf(head, 2 * arcs);
            capacity = Arrays.copyOf(capacity, 2 * arcs);
            residual = Arrays.copyOf(residual, 2 * arcs);
        }
        link(from, to, most);
        link(to, from, 0);
        return arcs - 2;
    }

    private void link(int from, int to, long most) {
        head[arcs] = to;
        capacity[arcs] = most;
        next[arcs] = first[from];
        first[from] = arcs++;
    }

    void capacity(int arc, long most) {
        capacity[arc] = most;
    }

    /** Capacity of a minimum cut; {@link #UNCUTTABLE} or more when every cut goes through an arc that cannot be cut. */
    long cut() {
        System.arraycopy(capacity, 0, residual, 0, arcs);
        long flow = 0;
        while (flow < UNCUTTABLE && levels()) {
            System.arraycopy(first, 0, current, 0, first.length);
            long more = push(source, UNCUTTABLE);
            while (more > 0) {
                flow += more;
                more = flow < UNCUTTABLE ? push(source, UNCUTTABLE) : 0;
            }
        }
        return flow;
    }

    /** After a cut: whether the node is on the source's side. */
    boolean onSourceSide(int node) {
        return level[node] >= 0;
    }

    private boolean levels() {
        Arrays.fill(level, -1);
        level[source] = 0;
        int end = 0;
        queue[end++] = source;
        for (int begin = 0; begin < end; begin++) {
            int node = queue[begin];
            for (int arc = first[node]; arc >= 0; arc = next[arc]) {
                if (residual[arc] > 0 && level[head[arc]] < 0) {
                    level[head[arc]] = level[node] + 1;
                    queue[end++] = head[arc];
                }
            }
        }
        return level[sink] >= 0;
    }

    /** Depth is the network's longest shortest path, a few hundred frames for the graphs taken here. */
    private long push(int node, long most) {
        if (node == sink) {
            return most;
        }
        long left = most;
        for (; current[node] >= 0; current[node] = next[current[node]]) {
            int arc = current[node];
            if (residual[arc] > 0 && level[head[arc]] == level[node] + 1) {
                long pushed = push(head[arc], Math.min(left, residual[arc]));
                residual[arc] -= pushed;
                residual[arc ^ 1] += pushed;
                left -= pushed;
                if (left == 0) {
                    return most;
                }
            }
        }
        return most - left;
    }
}
