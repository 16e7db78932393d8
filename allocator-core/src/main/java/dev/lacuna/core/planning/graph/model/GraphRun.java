package dev.lacuna.core.planning.graph.model;

import java.util.List;

/**
 * Runs a schedule in thought, step by step, and believes nobody: what is computed must find its inputs and must not be
 * there already, what is freed must be there, every node is computed, and first computations follow the profile's order
 * (recomputed is only what was computed before). Cost and peak of every plan come from here.
 */
public final class GraphRun {
    private final long cost;
    private final long peakBytes;
    private final int recomputations;

    /** @throws IllegalArgumentException for a schedule that cannot be run; the message names the step */
    public GraphRun(GraphProfile graph, List<GraphStep> steps) {
        boolean[] there = new boolean[graph.size()];
        int frontier = 0;
        long alive = graph.fixedBytes();
        long most = alive;
        long sum = 0;
        int again = 0;
        for (int i = 0; i < steps.size(); i++) {
            GraphStep step = steps.get(i);
            int index = step.node();
            if (index < 0 || index > frontier || index >= graph.size()) {
                throw wrong(i, step, "its turn has not come");
            }
            GraphNode node = graph.nodes().get(index);
            switch (step.kind()) {
                case COMPUTE -> {
                    if (there[index] || !node.inputs().stream().allMatch(input -> there[input])) {
                        throw wrong(i, step, there[index] ? "it is there already" : "an input is not there");
                    }
                    there[index] = true;
                    again += index < frontier ? 1 : 0;
                    frontier = Math.max(frontier, index + 1);
                    sum += node.cost();
                    alive += node.bytes();
                    most = Math.max(most, alive + node.workspaceBytes());
                }
                case FREE -> {
                    if (!there[index]) {
                        throw wrong(i, step, "it is not there");
                    }
                    there[index] = false;
                    alive -= node.bytes();
                }
            }
        }
        if (frontier < graph.size()) {
            throw new IllegalArgumentException("node " + frontier + " is never computed");
        }
        cost = sum;
        peakBytes = most;
        recomputations = again;
    }

    private static IllegalArgumentException wrong(int index, GraphStep step, String why) {
        return new IllegalArgumentException("step " + index + ", " + step + ": " + why);
    }

    /** Cost of all computations, in the profile's unit. */
    public long cost() {
        return cost;
    }

    /** Most bytes alive at once, fixed bytes and workspaces included. */
    public long peakBytes() {
        return peakBytes;
    }

    /** Computations beyond one per node. */
    public int recomputations() {
        return recomputations;
    }
}
