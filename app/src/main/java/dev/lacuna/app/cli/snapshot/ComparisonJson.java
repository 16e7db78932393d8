package dev.lacuna.app.cli.snapshot;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lacuna.core.history.compare.Comparison;
import dev.lacuna.core.history.compare.Difference;
import dev.lacuna.core.history.compare.Held;
import dev.lacuna.core.trace.snapshot.model.Frame;
import java.util.List;

/** A comparison as {@code snapshot --compare --json} and {@code --since} print it: A is the base, B is held against it. */
final class ComparisonJson {
    /** Stacks that are told: the largest changes. */
    private static final int MOST_STACKS = 100;

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private ComparisonJson() {}

    /** One device of both. */
    static ObjectNode of(int device, Comparison comparison) {
        ObjectNode node = NODES.objectNode();
        node.put("device", device);
        node.put("a_moment", comparison.a().moment());
        node.put("b_moment", comparison.b().moment());
        node.set("reserved", sides(comparison.reserved(), NODES.objectNode()));
        node.set("allocated", sides(comparison.allocated(), NODES.objectNode()));
        ObjectNode blocks = node.putObject("blocks");
        blocks.set("only_a", held(comparison.blocks().heldOnlyA()));
        blocks.set("both", held(comparison.blocks().heldBoth()));
        blocks.set("only_b", held(comparison.blocks().heldOnlyB()));
        ArrayNode stacks = node.putArray("stacks");
        comparison.stacks().stream()
                .filter(d -> d.bytes() != 0)
                .limit(MOST_STACKS)
                .forEach(d -> {
                    ObjectNode stack = sides(d, stacks.addObject());
                    ArrayNode frames = stack.putArray("frames");
                    frames(d.key()).forEach(frames::add);
                });
        ArrayNode sizes = node.putArray("sizes");
        comparison.sizes().forEach(d -> {
            ObjectNode size = sizes.addObject();
            size.put("from_bytes", d.key().fromBytes());
            size.put("below_bytes", d.key().toBytes());
            sides(d, size);
        });
        ArrayNode segments = node.putArray("segments");
        comparison.segments().forEach(d -> {
            ObjectNode segment = segments.addObject();
            segment.put("each_bytes", d.key().eachBytes());
            segment.put("pool", d.key().large() ? "large" : "small");
            segment.put("expandable", d.key().expandable());
            sides(d, segment);
        });
        return node;
    }

    private static ObjectNode sides(Difference<?> difference, ObjectNode node) {
        node.put("a_bytes", difference.a().bytes());
        node.put("b_bytes", difference.b().bytes());
        node.put("change_bytes", difference.bytes());
        node.put("a_count", difference.a().count());
        node.put("b_count", difference.b().count());
        return node;
    }

    private static ObjectNode held(Held held) {
        ObjectNode node = NODES.objectNode();
        node.put("count", held.count());
        node.put("held_bytes", held.bytes());
        return node;
    }

    /** Innermost first. */
    private static List<String> frames(List<Frame> frames) {
        return frames.stream()
                .map(f -> f.function() + " " + f.file() + ":" + f.line())
                .toList();
    }
}
