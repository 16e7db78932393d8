package dev.lacuna.core.planning;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lacuna.core.base.file.UnreadableException;
import dev.lacuna.core.planning.method.PlanFailure;

/** Fields of a profile in JSON, each refused by its place where it is missing or out of range. */
final class PlanningFields {
    /** More than any device or host has, and sums of thousands of them stay exact. */
    private static final double MOST_BYTES = 1L << 50;
    /** Eleven days. */
    private static final double MOST_MS = 1e9;

    private final JsonNode node;
    private final String place;

    PlanningFields(JsonNode node, String place) throws UnreadableException {
        if (!node.isObject()) {
            throw new UnreadableException(PlanFailure.WORDS.of("profile.object", place));
        }
        this.node = node;
        this.place = place;
    }

    long bytes(String key) throws UnreadableException {
        double value = number(key, MOST_BYTES);
        if (value != Math.rint(value)) {
            throw wrong(key, MOST_BYTES);
        }
        return (long) value;
    }

    long bytes(String key, long absent) throws UnreadableException {
        return node.hasNonNull(key) ? bytes(key) : absent;
    }

    double milliseconds(String key) throws UnreadableException {
        return number(key, MOST_MS);
    }

    int count(String key, int most) throws UnreadableException {
        double value = number(key, most);
        if (value < 1 || value != Math.rint(value)) {
            throw wrong(key, most);
        }
        return (int) value;
    }

    double number(String key, double most) throws UnreadableException {
        JsonNode value = node.path(key);
        if (!value.isNumber() || !(value.asDouble() >= 0) || value.asDouble() > most) {
            throw wrong(key, most);
        }
        return value.asDouble();
    }

    /** A name, which no figure rests on: whatever else stands there is none. */
    String text(String key, String absent) {
        JsonNode value = node.path(key);
        return value.isTextual() && !value.asText().isEmpty() ? value.asText() : absent;
    }

    private UnreadableException wrong(String key, double most) {
        return node.has(key)
                ? new UnreadableException(PlanFailure.WORDS.of(
                        "profile.number", at(key), String.format(java.util.Locale.ROOT, "%.0f", most)))
                : new UnreadableException(PlanFailure.WORDS.of("profile.missing", at(key)));
    }

    private String at(String key) {
        return place.isEmpty() ? key : place + "." + key;
    }
}
