package dev.lacuna.core.config.mindformers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lacuna.core.config.document.ConfigValue;
import dev.lacuna.core.config.mindformers.layer.InvalidSettingException;
import dev.lacuna.core.config.mindformers.layer.Selection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The contract's JSON of {@code mindformers --json}. */
public final class MindformersJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private MindformersJson() {}

    /** @param locale language of the explanations; the framework's own lines and warnings stay as it writes them */
    public static ObjectNode of(MindformersResult result, Locale locale) {
        ObjectNode node = NODES.objectNode();
        if (result instanceof MindformersResult.Invalid invalid) {
            node.put("valid", false);
            node.put("error", error(invalid, locale));
            node.set(
                    "layer_list",
                    invalid.layers().<JsonNode>map(l -> counts(l.counts())).orElse(NODES.nullNode()));
            node.putNull("layer_recompute");
            node.putNull("select_recompute");
            node.putNull("select_comm_recompute");
            List.of("lines", "formative", "warnings", "notes").forEach(node::putArray);
        } else if (result instanceof MindformersResult.Valid valid) {
            fill(node, valid, locale);
        }
        return node;
    }

    /** Which key, on which line, and why. */
    public static String error(MindformersResult.Invalid invalid, Locale locale) {
        return InvalidSettingException.WORDS
                .of("error.at", invalid.path(), invalid.line(), invalid.why().text(locale))
                .text(locale);
    }

    private static void fill(ObjectNode node, MindformersResult.Valid valid, Locale locale) {
        node.put("valid", true);
        node.putNull("error");
        node.set("layer_list", counts(valid.layers().counts()));
        node.set("layer_recompute", selection(valid.layerRecompute()));
        node.set("select_recompute", selections(valid.selectRecompute()));
        node.set("select_comm_recompute", selections(valid.selectCommRecompute()));
        ArrayNode lines = node.putArray("lines");
        valid.lines().forEach(lines::add);
        ArrayNode formative = node.putArray("formative");
        valid.formative().forEach(formative::add);
        ArrayNode warnings = node.putArray("warnings");
        valid.frameworkWarnings().forEach(warnings::add);
        valid.environmentWarnings().forEach(note -> warnings.add(note.message().text(locale)));
        ArrayNode notes = node.putArray("notes");
        valid.notes()
                .forEach(note -> notes.addObject()
                        .put("kind", note.kind().id())
                        .put("key", note.path().toString())
                        .put("text", note.message().text(locale)));
    }

    private static ObjectNode selections(Map<String, Selection> selections) {
        ObjectNode node = NODES.objectNode();
        selections.forEach((pattern, selection) -> node.set(pattern, selection(selection)));
        return node;
    }

    private static JsonNode selection(Selection selection) {
        if (selection instanceof Selection.FirstOfEach counts) {
            return counts(counts.counts());
        }
        if (selection instanceof Selection.ByIndex index) {
            ArrayNode node = NODES.arrayNode();
            index.layers().forEach(layer -> {
                if (layer instanceof ConfigValue.Flag flag) {
                    node.add(flag.value());
                } else if (layer instanceof ConfigValue.Whole whole) {
                    node.add(whole.value());
                }
            });
            return node;
        }
        return NODES.booleanNode(true);
    }

    private static ArrayNode counts(List<List<Integer>> rows) {
        ArrayNode node = NODES.arrayNode();
        rows.forEach(row -> {
            ArrayNode numbers = node.addArray();
            row.forEach(numbers::add);
        });
        return node;
    }
}
