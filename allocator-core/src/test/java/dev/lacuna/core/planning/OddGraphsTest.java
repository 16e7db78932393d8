package dev.lacuna.core.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lacuna.core.OddJson;
import dev.lacuna.core.planning.graph.model.GraphNode;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.planning.graph.reader.GraphProfileReader;
import dev.lacuna.core.planning.graph.reader.GraphProfileReader.Workspaces;
import dev.lacuna.core.planning.swap.kernel.KernelTrace;
import dev.lacuna.core.planning.swap.kernel.KernelTraceReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Graph profiles and kernel traces with one odd scalar: what no plan rests on is passed over, the rest is told by its place. */
class OddGraphsTest {
    private static final Set<String> PASSED_OVER = Set.of("name", "extra", "op", "model", "directed");

    private static final String NODE_LINK = """
            { "directed": true, "graph": { "name": "g" },
              "nodes": [ { "id": 0, "name": "in", "cost_cpu": 1, "cost_ram": 4096, "backward": false },
                         { "id": 1, "name": "out", "cost_cpu": 2, "cost_ram": 8192, "backward": false } ],
              "links": [ { "source": 0, "target": 1 } ] }""";

    private static final String MONET = """
            { "model": "m", "loss_index": 1, "edge_list": [ [0, 1] ],
              "nodes": [ { "op": "a", "compute_ms": [1.5], "mem_bytes": 4096, "workspace_mem_MB": [0] },
                         { "op": "b", "compute_ms": [2.5], "mem_bytes": 8192, "workspace_mem_MB": [0], "fixed_mem_bytes": 1024 } ] }""";

    @Test
    void one_odd_scalar_of_a_graph_profile_costs_nothing_or_is_told_by_its_place() throws IOException {
        for (String profile : List.of(NODE_LINK, MONET)) {
            List<Object> before = figures(graph(profile));
            for (OddJson.Changed changed : OddJson.of(profile)) {
                try {
                    List<Object> now = figures(graph(changed.text()));
                    if (PASSED_OVER.contains(changed.key())) {
                        assertThat(now).as(changed.change()).isEqualTo(before);
                    }
                } catch (IOException e) {
                    assertThat(PASSED_OVER)
                            .as(changed.change() + ": " + e.getMessage())
                            .doesNotContain(changed.key());
                    assertThat(e.getMessage()).as(changed.change()).containsAnyOf("node", "link", changed.key());
                }
            }
        }
    }

    @Test
    void the_place_of_an_odd_cost_is_told() {
        assertThatThrownBy(() -> graph(NODE_LINK.replace("8192", "-8192"))).hasMessageContaining("cost_ram of node 1");
        assertThatThrownBy(() -> graph(NODE_LINK.replace("\"target\": 1", "\"target\": 7")))
                .hasMessageContaining("target of link 0");
    }

    @Test
    void an_odd_tensor_that_no_kernel_uses_costs_nothing() throws IOException {
        String trace = """
                { "model": "m", "kernel_table": [ [0, "k", 10, [1], [2]] ],
                  "tensor_table": { "1": [64, 0], "2": [32, 1], "3": [%s, 0], "x": ["odd", 0] } }""";
        KernelTrace plain = kernels(trace.formatted("16"));
        KernelTrace odd = kernels(trace.formatted("-1"));
        assertThat(odd.kernels()).isEqualTo(plain.kernels());
        assertThat(odd.tensors()).isEqualTo(plain.tensors().subList(0, 2));
    }

    @Test
    void an_odd_tensor_in_use_and_odd_cycles_are_told_by_their_place() {
        String trace = """
                { "kernel_table": [ [0, "k", %s, [1], []] ], "tensor_table": { "1": [%s, 0] } }""";
        assertThatThrownBy(() -> kernels(trace.formatted("1", "-5"))).hasMessageContaining("bytes of tensor 1");
        assertThatThrownBy(() -> kernels(trace.formatted("\"odd\"", "5"))).hasMessageContaining("cycles of kernel 0");
    }

    private static List<Object> figures(GraphProfile profile) {
        return List.of(
                profile.nodes().stream().map(GraphNode::bytes).toList(),
                profile.nodes().stream().map(GraphNode::cost).toList());
    }

    private static GraphProfile graph(String text) throws IOException {
        return GraphProfileReader.read(
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), Workspaces.COUNTED);
    }

    private static KernelTrace kernels(String text) throws IOException {
        return KernelTraceReader.read(new ObjectMapper().readTree(text));
    }
}
