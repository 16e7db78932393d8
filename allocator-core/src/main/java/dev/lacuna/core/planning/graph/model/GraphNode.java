package dev.lacuna.core.planning.graph.model;

import java.util.List;

/**
 * One operator of a training step and the value it makes.
 *
 * @param name how the profile calls it
 * @param cost time of computing it, in the profile's unit, ≥ 0
 * @param bytes bytes of its value, ≥ 0
 * @param workspaceBytes further bytes that are taken while it is computed, ≥ 0
 * @param backward whether it belongs to the backward pass
 * @param inputs the nodes whose values it reads: indices into the profile, each once, all lower than its own
 */
public record GraphNode(
        String name, long cost, long bytes, long workspaceBytes, boolean backward, List<Integer> inputs) {
    public GraphNode {
        inputs = List.copyOf(inputs);
        if (cost < 0 || bytes < 0 || workspaceBytes < 0) {
            throw new IllegalArgumentException(name + ": costs and sizes must not be negative");
        }
    }
}
