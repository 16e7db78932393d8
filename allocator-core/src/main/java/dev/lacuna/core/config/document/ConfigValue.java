package dev.lacuna.core.config.document;

import java.math.BigInteger;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A value of a configuration file, without its place. Immutable; equal when the content is. */
public sealed interface ConfigValue {
    /** Longest text that {@link #literal} writes; a message should stay readable. */
    int LONGEST_LITERAL = 200;

    /** {@code null}, {@code ~} or nothing at all. */
    record Nothing() implements ConfigValue {
        @Override
        public String written() {
            return "None";
        }
    }

    /** True or false. */
    record Flag(boolean value) implements ConfigValue {
        @Override
        public String written() {
            return value ? "True" : "False";
        }
    }

    /** A whole number of any size. */
    record Whole(BigInteger value) implements ConfigValue {
        /** The number, or the nearest {@code int}. */
        public int clamped() {
            return value.bitLength() < Integer.SIZE
                    ? value.intValue()
                    : value.signum() < 0 ? Integer.MIN_VALUE : Integer.MAX_VALUE;
        }

        @Override
        public String written() {
            return value.toString();
        }
    }

    /** A number with a point or an exponent. */
    record Real(double value) implements ConfigValue {
        @Override
        public String written() {
            return Double.toString(value);
        }
    }

    /** Text. */
    record Text(String value) implements ConfigValue {
        @Override
        public String written() {
            return "'" + value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'";
        }
    }

    /** A sequence. */
    record Items(List<ConfigValue> values) implements ConfigValue {
        public Items {
            values = List.copyOf(values);
        }

        @Override
        public String written() {
            return values.stream().map(ConfigValue::written).collect(Collectors.joining(", ", "[", "]"));
        }
    }

    /** A mapping, in the order of the file. */
    record Entries(Map<String, ConfigValue> values) implements ConfigValue {
        public Entries {
            values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        }

        /** What stands under this key; empty when the key is absent. */
        public Optional<ConfigValue> get(String key) {
            return Optional.ofNullable(values.get(key));
        }

        @Override
        public String written() {
            return values.entrySet().stream()
                    .map(e ->
                            new Text(e.getKey()).written() + ": " + e.getValue().written())
                    .collect(Collectors.joining(", ", "{", "}"));
        }
    }

    /** The value as Python would print it, whole. */
    String written();

    /** The value as Python would print it, cut when it is long: for messages. */
    default String literal() {
        String text = written();
        return text.length() <= LONGEST_LITERAL ? text : text.substring(0, LONGEST_LITERAL) + "…";
    }

    static ConfigValue nothing() {
        return new Nothing();
    }

    static ConfigValue of(boolean value) {
        return new Flag(value);
    }

    static ConfigValue of(long value) {
        return new Whole(BigInteger.valueOf(value));
    }

    static ConfigValue of(String value) {
        return new Text(value);
    }

    static ConfigValue of(List<? extends ConfigValue> values) {
        return new Items(List.copyOf(values));
    }
}
