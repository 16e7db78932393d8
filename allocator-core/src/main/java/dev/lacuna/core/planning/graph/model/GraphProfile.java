package dev.lacuna.core.planning.graph.model;

import java.util.HashSet;
import java.util.List;

/**
 * The operator graph of one training step, in the order in which the step runs.
 *
 * @param name the model
 * @param costUnit what one unit of cost is, "10 µs" say; empty when the profile does not tell
 * @param fixedBytes bytes of weights and the like, there the whole time
 * @param nodes the operators; a node reads only values of nodes before it
 */
public record GraphProfile(String name, String costUnit, long fixedBytes, List<GraphNode> nodes) {
    /** Far beyond the graphs that planners take: a stage per node, each with its own set of values. */
    public static final int MOST_NODES = 10_000;
    /** Sums of costs, even of a schedule that computes each node once per stage, stay exact. */
    public static final long MOST_COST = 1L << 48;
    /** Sums of sizes cannot overflow. */
    public static final long MOST_BYTES = 1L << 58;

    public GraphProfile {
        nodes = List.copyOf(nodes);
        if (nodes.isEmpty() || nodes.size() > MOST_NODES) {
            throw new IllegalArgumentException("a graph has from 1 to " + MOST_NODES + " nodes, not " + nodes.size());
        }
        if (fixedBytes < 0 || fixedBytes > MOST_BYTES) {
            throw new IllegalArgumentException("fixed bytes out of range: " + fixedBytes);
        }
        long cost = 0;
        long bytes = 0;
        for (int i = 0; i < nodes.size(); i++) {
            GraphNode node = nodes.get(i);
            checkInputs(node, i);
            cost += Math.min(node.cost(), MOST_COST + 1);
            bytes += Math.min(node.bytes(), MOST_BYTES + 1);
            bytes += Math.min(node.workspaceBytes(), MOST_BYTES + 1);
            if (cost > MOST_COST || bytes > MOST_BYTES) {
                throw new IllegalArgumentException(node.name() + ": costs or sizes add up to too much");
            }
        }
    }

    private static void checkInputs(GraphNode node, int index) {
        HashSet<Integer> seen = new HashSet<>();
        for (int input : node.inputs()) {
            if (input < 0 || input >= index || !seen.add(input)) {
                throw new IllegalArgumentException(node.name() + ", node " + index + ": reads node " + input
                        + ", which is not before it or twice");
            }
        }
    }

    /** Number of nodes. */
    public int size() {
        return nodes.size();
    }

    /** Cost of a step that computes each node once. */
    public long baseCost() {
        return nodes.stream().mapToLong(GraphNode::cost).sum();
    }

    /** Peak of the order without recomputation, each value freed after its last use; fixed bytes included. */
    public long peakWithoutRecomputation() {
        return new GraphRun(this, StageSchedule.withoutRecomputation(this).steps()).peakBytes();
    }

    /** No schedule needs less: the largest sum of a node's value, its inputs and its workspace; fixed bytes included. */
    public long largestWorkingSet() {
        long most = 0;
        for (GraphNode node : nodes) {
            long sum = node.bytes() + node.workspaceBytes();
            for (int input : node.inputs()) {
                sum += nodes.get(input).bytes();
            }
            most = Math.max(most, sum);
        }
        return fixedBytes + most;
    }

    /** Index of the first node of the backward pass, or the number of nodes when there is none. */
    public int firstBackward() {
        for (int i = 0; i < size(); i++) {
            if (nodes.get(i).backward()) {
                return i;
            }
        }
        return size();
    }
}
