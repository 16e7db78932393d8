package dev.lacuna.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** A document in JSON with one scalar at a time made what it cannot be: of another type, sign or size, missing, or one too many. */
public final class OddJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final List<Object> ODD = List.of(
            "odd", "", -1L, 1L << 62, BigInteger.ONE.shiftLeft(80), 1.5, true, List.of(1), new int[0], new Object());

    private OddJson() {}

    /**
     * A changed document.
     *
     * @param key the key that was changed, by itself
     * @param change what was done, for people
     * @param text the document
     */
    public record Changed(String key, String change, String text) {}

    /** Every change of every scalar of an object. */
    public static List<Changed> of(String text) {
        try {
            JsonNode top = JSON.readTree(text);
            List<Changed> all = new ArrayList<>();
            walk(top, top, "", all);
            return all;
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void walk(JsonNode top, JsonNode node, String path, List<Changed> all) {
        if (node instanceof ObjectNode object) {
            for (String key : List.copyOf(new ArrayList<>(names(object)))) {
                JsonNode value = object.get(key);
                if (value.isContainerNode()) {
                    walk(top, value, path + key + ".", all);
                } else {
                    change(top, object, key, path, all);
                }
            }
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                walk(top, array.get(i), path + i + ".", all);
            }
        }
    }

    private static List<String> names(ObjectNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static void change(JsonNode top, ObjectNode object, String key, String path, List<Changed> all) {
        JsonNode was = object.get(key);
        for (Object odd : ODD) {
            if (odd instanceof int[]) {
                object.remove(key);
            } else if (odd instanceof Object && odd.getClass() == Object.class) {
                object.putNull(key);
            } else {
                object.set(key, JSON.valueToTree(odd));
            }
            String what = odd instanceof int[] ? "missing" : odd.getClass() == Object.class ? "null" : odd.toString();
            all.add(new Changed(key, path + key + " = " + what, top.toString()));
            object.set(key, was);
        }
        object.put("extra", "one too many");
        all.add(new Changed("extra", path + "extra", top.toString()));
        object.remove("extra");
    }
}
