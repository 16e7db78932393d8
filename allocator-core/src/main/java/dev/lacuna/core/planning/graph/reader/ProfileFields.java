package dev.lacuna.core.planning.graph.reader;

import com.fasterxml.jackson.databind.JsonNode;

/** Fields of profiles in JSON, refused when they are not what they should be. */
final class ProfileFields {
    /** Beyond it doubles are no longer whole numbers; more than any sum may be anyway. */
    private static final double MOST = 0x1p53;

    private ProfileFields() {}

    static JsonNode array(JsonNode of, String field) {
        JsonNode value = of.path(field);
        if (!value.isArray()) {
            throw new IllegalArgumentException(field + " is not a list");
        }
        return value;
    }

    static double number(JsonNode value, String field) {
        double number = value.isNumber() ? value.doubleValue() : Double.NaN;
        if (!(Math.abs(number) <= MOST)) {
            throw new IllegalArgumentException(field + " is not a number in range: " + text(value));
        }
        return number;
    }

    /** A number from 0 up, rounded half to even as Python does. */
    static long amount(JsonNode value, double scale, String field) {
        double scaled = Math.rint(number(value, field) * scale);
        if (!(scaled >= 0) || scaled > MOST) {
            throw new IllegalArgumentException(field + " is out of range: " + text(value));
        }
        return (long) scaled;
    }

    static int index(JsonNode value, int size, String field) {
        if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < 0 || value.intValue() >= size) {
            throw new IllegalArgumentException(field + " is no node's number: " + text(value));
        }
        return value.intValue();
    }

    static String text(JsonNode value) {
        String text = value.isTextual() ? value.textValue() : value.toString();
        return text.length() <= 200 ? text : text.substring(0, 200);
    }
}
