package dev.lacuna.core.planning.graph.reader;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads graph profiles in the two published formats, told apart by their content: networkx's node-link JSON of the
 * Checkmate study, and the graphs that MONeT profiled.
 */
public final class GraphProfileReader {
    /** The largest published profile has 0.3 MB. */
    private static final int MOST_BYTES = 64 << 20;

    private static final ObjectMapper JSON = new ObjectMapper();

    /** What becomes of the work spaces that a profile tells. */
    public enum Workspaces {
        /** They count while their operator runs. */
        COUNTED,
        /** They do not: the conditions of the published optima. */
        IGNORED
    }

    private GraphProfileReader() {}

    /** The profile of a file, under the conditions of the published optima. */
    public static GraphProfile read(Path file) throws IOException {
        return read(file, Workspaces.IGNORED);
    }

    /**
     * The profile of a file.
     *
     * @throws IOException when it cannot be read, is neither format, is damaged or is too large
     */
    public static GraphProfile read(Path file, Workspaces workspaces) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return read(in, workspaces);
        }
    }

    /** The profile that a stream holds; the stream is left open. */
    public static GraphProfile read(InputStream in, Workspaces workspaces) throws IOException {
        byte[] content = in.readNBytes(MOST_BYTES + 1);
        if (content.length > MOST_BYTES) {
            throw new IOException("a graph profile of more than " + MOST_BYTES + " bytes");
        }
        JsonNode root = JSON.readTree(content);
        try {
            if (root.has("links")) {
                return NodeLinkProfile.of(root);
            }
            if (root.has("edge_list")) {
                return MonetProfile.of(root, workspaces);
            }
        } catch (IllegalArgumentException e) {
            throw new IOException("not a graph profile: " + e.getMessage(), e);
        }
        throw new IOException("not a graph profile: it has neither links nor an edge_list");
    }

    /** Whether content looks like a graph profile, without reading it all: planners take chains in JSON too. */
    public static boolean recognises(JsonNode root) {
        return root.has("nodes") && (root.has("links") || root.has("edge_list"));
    }
}
