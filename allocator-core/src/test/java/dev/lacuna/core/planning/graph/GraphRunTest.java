package dev.lacuna.core.planning.graph;

import static dev.lacuna.core.planning.graph.model.GraphStep.compute;
import static dev.lacuna.core.planning.graph.model.GraphStep.free;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.planning.graph.model.GraphNode;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.planning.graph.model.GraphRun;
import dev.lacuna.core.planning.graph.model.GraphStep;
import java.util.List;
import org.junit.jupiter.api.Test;

class GraphRunTest {
    private final GraphProfile graph = new GraphProfile(
            "abc",
            "ms",
            100,
            List.of(
                    new GraphNode("a", 1, 10, 0, false, List.of()),
                    new GraphNode("b", 2, 20, 5, false, List.of(0)),
                    new GraphNode("c", 4, 40, 0, true, List.of(0, 1))));

    @Test
    void adds_up_cost_and_peak_with_fixed_bytes_and_workspaces() {
        GraphRun run = new GraphRun(graph, List.of(compute(0), compute(1), free(0), compute(0), compute(2)));
        assertThat(run.cost()).isEqualTo(1 + 2 + 1 + 4);
        assertThat(run.peakBytes()).isEqualTo(100 + 10 + 20 + 40);
        assertThat(run.recomputations()).isEqualTo(1);
        assertThat(new GraphRun(graph, List.of(compute(0), compute(1), free(1), compute(1), compute(2))).peakBytes())
                .isEqualTo(170);
    }

    @Test
    void counts_a_workspace_only_while_its_node_is_computed() {
        GraphProfile lean = new GraphProfile("lean", "", 0, graph.nodes().subList(0, 2));
        assertThat(new GraphRun(lean, List.of(compute(0), compute(1))).peakBytes())
                .isEqualTo(35);
    }

    @Test
    void refuses_what_cannot_be_run() {
        refuses("an input is not there", compute(0), compute(1), free(0), compute(2));
        refuses("its turn has not come", compute(0), compute(2));
        refuses("it is there already", compute(0), compute(0));
        refuses("it is not there", compute(0), free(0), free(0));
        refuses("never computed", compute(0), compute(1));
        refuses("its turn has not come", compute(-1));
    }

    private void refuses(String why, GraphStep... steps) {
        assertThatThrownBy(() -> new GraphRun(graph, List.of(steps)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }
}
