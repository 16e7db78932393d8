package dev.lacuna.core.planning.graph;

import dev.lacuna.core.planning.graph.model.GraphNode;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Graphs for tests. */
final class Graphs {
    private Graphs() {}

    /** Forward nodes with skips, then a backward node for each in reverse, which reads what it needs of the forward ones. */
    static GraphProfile training(Random random, int forward) {
        List<GraphNode> nodes = new ArrayList<>();
        for (int i = 0; i < forward; i++) {
            nodes.add(node(random, "f" + i, false, inputs(random, i)));
        }
        for (int i = forward - 1; i >= 0; i--) {
            List<Integer> inputs = new ArrayList<>();
            if (i > 0 && random.nextInt(3) > 0) {
                inputs.add(i - 1);
            }
            if (random.nextInt(3) > 0) {
                inputs.add(i);
            }
            inputs.add(nodes.size() - 1);
            nodes.add(node(
                    random, "b" + i, true, inputs.stream().distinct().sorted().toList()));
        }
        return new GraphProfile("random", "", random.nextInt(3), nodes);
    }

    private static List<Integer> inputs(Random random, int index) {
        if (index == 0) {
            return List.of();
        }
        int skip = random.nextInt(index);
        return random.nextInt(3) == 0 && skip < index - 1 ? List.of(skip, index - 1) : List.of(index - 1);
    }

    private static GraphNode node(Random random, String name, boolean backward, List<Integer> inputs) {
        int workspace = random.nextInt(4) == 0 ? random.nextInt(3) : 0;
        return new GraphNode(name, random.nextInt(10), random.nextInt(6), workspace, backward, inputs);
    }
}
