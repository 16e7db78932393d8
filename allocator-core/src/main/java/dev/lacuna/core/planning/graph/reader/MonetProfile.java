package dev.lacuna.core.planning.graph.reader;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lacuna.core.planning.graph.model.GraphNode;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.planning.graph.reader.GraphProfileReader.Workspaces;
import java.util.ArrayList;
import java.util.List;

/**
 * Graphs as MONeT profiled them (Shah et al., ICLR 2021): {@code compute_ms} and {@code workspace_mem_MB} per
 * implementation of an operator, of which the first counts, {@code mem_bytes}, {@code fixed_mem_bytes} with the last
 * node's for all, {@code edge_list}, {@code loss_index}. Costs are rounded to 10 µs and sizes to KiB, as where the
 * published optima come from. A negative workspace (the operator works in place) counts as none.
 */
final class MonetProfile {
    private static final double UNITS_PER_MS = 100;
    private static final long KIB = 1024;
    private static final double KIB_PER_MIB = 1024;

    private MonetProfile() {}

    static GraphProfile of(JsonNode root, Workspaces workspaces) {
        JsonNode nodes = ProfileFields.array(root, "nodes");
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("a graph without nodes");
        }
        int loss = ProfileFields.index(root.path("loss_index"), nodes.size(), "loss_index");
        ProfileEdges edges = new ProfileEdges(nodes.size());
        JsonNode list = ProfileFields.array(root, "edge_list");
        for (int i = 0; i < list.size(); i++) {
            edges.add(
                    ProfileFields.index(list.get(i).path(0), nodes.size(), "edge_list " + i),
                    ProfileFields.index(list.get(i).path(1), nodes.size(), "edge_list " + i));
        }
        int[] order = edges.order();
        int[] positions = ProfileEdges.positions(order);
        List<GraphNode> sorted = new ArrayList<>();
        for (int index : order) {
            JsonNode node = nodes.get(index);
            sorted.add(new GraphNode(
                    ProfileFields.text(node.path("op")),
                    ProfileFields.amount(node.path("compute_ms").path(0), UNITS_PER_MS, "compute_ms of node " + index),
                    kib(node.path("mem_bytes"), "mem_bytes of node " + index),
                    workspaces == Workspaces.COUNTED ? workspace(node, index) : 0,
                    index > loss,
                    edges.inputs(index, positions)));
        }
        long fixed = kib(nodes.get(nodes.size() - 1).path("fixed_mem_bytes"), "fixed_mem_bytes");
        return new GraphProfile(ProfileFields.text(root.path("model")), "10 µs", fixed, sorted);
    }

    private static long kib(JsonNode bytes, String field) {
        return ProfileFields.amount(bytes, 1.0 / KIB, field) * KIB;
    }

    private static long workspace(JsonNode node, int index) {
        double mib = ProfileFields.number(node.path("workspace_mem_MB").path(0), "workspace_mem_MB of node " + index);
        return Math.max(0, (long) Math.ceil(mib * KIB_PER_MIB)) * KIB;
    }
}
