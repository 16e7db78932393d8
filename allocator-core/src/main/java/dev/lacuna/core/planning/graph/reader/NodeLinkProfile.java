package dev.lacuna.core.planning.graph.reader;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lacuna.core.planning.graph.model.GraphNode;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * networkx's node-link JSON as Checkmate's graphs are handed round: {@code nodes} with {@code id}, {@code cost_cpu},
 * {@code cost_ram} in bytes and {@code backward}, {@code links} with {@code source} and {@code target}. The unit of
 * {@code cost_cpu} differs from graph to graph.
 */
final class NodeLinkProfile {
    private NodeLinkProfile() {}

    static GraphProfile of(JsonNode root) {
        JsonNode nodes = ProfileFields.array(root, "nodes");
        ProfileEdges edges = new ProfileEdges(nodes.size());
        Map<String, Integer> ids = new HashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            String id = ProfileFields.text(nodes.get(i).path("id"));
            if (ids.put(id, i) != null) {
                throw new IllegalArgumentException("two nodes have the id " + id);
            }
        }
        JsonNode links = ProfileFields.array(root, "links");
        for (int i = 0; i < links.size(); i++) {
            edges.add(node(ids, links.get(i), "source", i), node(ids, links.get(i), "target", i));
        }
        int[] order = edges.order();
        int[] positions = ProfileEdges.positions(order);
        List<GraphNode> sorted = new ArrayList<>();
        for (int index : order) {
            JsonNode node = nodes.get(index);
            sorted.add(new GraphNode(
                    ProfileFields.text(node.path("name")),
                    ProfileFields.amount(node.path("cost_cpu"), 1, "cost_cpu of node " + index),
                    ProfileFields.amount(node.path("cost_ram"), 1, "cost_ram of node " + index),
                    0,
                    node.path("backward").asBoolean(),
                    edges.inputs(index, positions)));
        }
        return new GraphProfile(ProfileFields.text(root.path("graph").path("name")), "", 0, sorted);
    }

    private static int node(Map<String, Integer> ids, JsonNode link, String end, int number) {
        String id = ProfileFields.text(link.path(end));
        Integer index = ids.get(id);
        if (index == null) {
            throw new IllegalArgumentException(end + " of link " + number + " names a node that there is not: " + id);
        }
        return index;
    }
}
