package dev.lacuna.core.planning.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.planning.graph.model.GraphNode;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.planning.graph.reader.GraphProfileReader;
import dev.lacuna.core.planning.graph.reader.GraphProfileReader.Workspaces;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class GraphProfileReaderTest {
    private static final String NODE_LINK = """
            {"directed": true, "multigraph": false, "graph": {"name": "tiny"},
             "nodes": [{"name": "b", "backward": true, "cost_cpu": 7, "cost_ram": 30, "id": "y"},
                       {"name": "a", "backward": false, "cost_cpu": 5, "cost_ram": 20, "id": "x"}],
             "links": [{"source": "x", "target": "y"}, {"source": "x", "target": "y"}]}
            """;
    private static final String MONET = """
            {"model": "tiny", "T": 3, "loss_index": 1, "edge_list": [[0, 1, 0], [0, 2, 0], [1, 2, 0]], "nodes": [
             {"op": "conv", "mem_bytes": 2560, "fixed_mem_bytes": 1, "workspace_mem_MB": [0.5, 9], "compute_ms": [0.125, 9]},
             {"op": "loss", "mem_bytes": 1024, "fixed_mem_bytes": 1, "workspace_mem_MB": [-3.5], "compute_ms": [0]},
             {"op": "grad", "mem_bytes": 0, "fixed_mem_bytes": 4096, "workspace_mem_MB": [0], "compute_ms": [1.5]}]}
            """;

    @Test
    void orders_the_nodes_of_a_node_link_graph_so_that_inputs_come_first() throws IOException {
        GraphProfile graph = read(NODE_LINK, Workspaces.IGNORED);
        assertThat(graph.name()).isEqualTo("tiny");
        assertThat(graph.nodes())
                .containsExactly(
                        new GraphNode("a", 5, 20, 0, false, List.of()), new GraphNode("b", 7, 30, 0, true, List.of(0)));
    }

    @Test
    void rounds_profiled_graphs_to_ten_microseconds_and_kibibytes_as_the_published_optima_do() throws IOException {
        GraphProfile graph = read(MONET, Workspaces.IGNORED);
        assertThat(graph.fixedBytes()).isEqualTo(4096);
        assertThat(graph.nodes())
                .containsExactly(
                        new GraphNode("conv", 12, 2048, 0, false, List.of()),
                        new GraphNode("loss", 0, 1024, 0, false, List.of(0)),
                        new GraphNode("grad", 150, 0, 0, true, List.of(0, 1)));
    }

    @Test
    void counts_workspaces_when_asked_and_negative_ones_as_none() throws IOException {
        assertThat(read(MONET, Workspaces.COUNTED).nodes())
                .extracting(GraphNode::workspaceBytes)
                .containsExactly(512L << 10, 0L, 0L);
    }

    @Test
    void refuses_what_is_no_graph() {
        refuses("", "[]", "{}", "{\"links\": 3}", "{\"links\": [], \"nodes\": []}", "null");
        refuses(NODE_LINK.replace("\"id\": \"y\"", "\"id\": \"x\""));
        refuses(NODE_LINK.replaceFirst("\"target\": \"y\"", "\"target\": \"z\""));
        refuses(NODE_LINK.replaceFirst("\"target\": \"y\"", "\"target\": \"x\""));
        refuses(NODE_LINK.replace("\"cost_ram\": 30", "\"cost_ram\": -30"));
        refuses(NODE_LINK.replace("\"cost_ram\": 30", "\"cost_ram\": 1e300"));
        refuses(NODE_LINK.replace("\"cost_ram\": 30", "\"cost_ram\": 9007199254740992000"));
        refuses(NODE_LINK.replace("\"cost_cpu\": 7", "\"cost_cpu\": \"7\""));
        refuses(MONET.replace("[0, 2, 0]", "[2, 0, 0]"));
        refuses(MONET.replace("[0, 2, 0]", "[0, 3, 0]"));
        refuses(MONET.replace("\"compute_ms\": [0]", "\"compute_ms\": []"));
        refuses(MONET.replace("\"loss_index\": 1", "\"loss_index\": 3"));
    }

    @Property(tries = 300)
    void damaged_profiles_are_read_or_refused(
            @ForAll boolean first, @ForAll @IntRange(min = 0, max = 450) int at, @ForAll byte damage)
            throws IOException {
        byte[] bytes = (first ? NODE_LINK : MONET).getBytes(StandardCharsets.UTF_8);
        bytes[at % bytes.length] = damage;
        try {
            GraphProfile graph = GraphProfileReader.read(new ByteArrayInputStream(bytes), Workspaces.COUNTED);
            assertThat(graph.largestWorkingSet()).isLessThanOrEqualTo(graph.peakWithoutRecomputation());
        } catch (IOException e) {
            assertThat(e).hasMessageNotContaining("Exception");
        }
    }

    private static void refuses(String... texts) {
        for (String text : texts) {
            assertThatThrownBy(() -> read(text, Workspaces.IGNORED)).as(text).isInstanceOf(IOException.class);
        }
    }

    private static GraphProfile read(String text, Workspaces workspaces) throws IOException {
        return GraphProfileReader.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), workspaces);
    }
}
