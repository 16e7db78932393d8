package dev.lacuna.core.planning.online.program;

import dev.lacuna.core.planning.graph.model.GraphNode;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a graph as an operator program: each node is a call, dropped after its last use; a work space is an output that
 * is dropped at once. A unit of cost becomes a nanosecond. Fixed bytes are there from the beginning.
 */
final class GraphProgram {
    private final GraphProfile graph;

    GraphProgram(GraphProfile graph) {
        this.graph = graph;
    }

    OperatorProgram program() {
        OperatorProgram.Builder program = OperatorProgram.builder();
        program.pin(
                program.call(OperatorCall.CONSTANT, 0, new int[0], new long[] {graph.fixedBytes()}, new int[] {-1}));
        List<List<Integer>> lastUsed = lastUsed();
        int[] tensors = new int[graph.size()];
        for (int i = 0; i < graph.size(); i++) {
            GraphNode node = graph.nodes().get(i);
            tensors[i] = program.call(
                    node.name(),
                    node.cost(),
                    node.inputs().stream().mapToInt(input -> tensors[input]).toArray(),
                    new long[] {node.bytes(), node.workspaceBytes()},
                    new int[] {-1, -1});
            program.release(tensors[i] + 1);
            lastUsed.get(i).forEach(each -> program.release(tensors[each]));
        }
        return program.build();
    }

    /** For each node those that nobody needs any more once it has run. */
    private List<List<Integer>> lastUsed() {
        int[] last = new int[graph.size()];
        List<List<Integer>> lastUsed = new ArrayList<>();
        for (int i = 0; i < graph.size(); i++) {
            lastUsed.add(new ArrayList<>());
            last[i] = i;
            for (int input : graph.nodes().get(i).inputs()) {
                last[input] = i;
            }
        }
        for (int i = 0; i < graph.size(); i++) {
            lastUsed.get(last[i]).add(i);
        }
        return lastUsed;
    }
}
