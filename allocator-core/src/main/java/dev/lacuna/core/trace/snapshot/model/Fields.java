package dev.lacuna.core.trace.snapshot.model;

import dev.lacuna.core.trace.snapshot.pickle.None;
import dev.lacuna.core.trace.snapshot.pickle.PickleDict;
import dev.lacuna.core.trace.snapshot.pickle.PickleList;
import java.math.BigInteger;
import java.util.Optional;
import java.util.OptionalLong;

/** The fields of one dictionary of a snapshot, read as what they have to be. */
public final class Fields {
    private static final PickleList NO_ITEMS = new PickleList();

    /** More than any device or host has: a larger size is none. */
    public static final long MOST_BYTES = 1L << 53;

    private final PickleDict dict;
    private final Oddities oddities;

    /** The fields of this dictionary; what they cannot say is noted. */
    public Fields(PickleDict dict, Oddities oddities) {
        this.dict = dict;
        this.oddities = oddities;
    }

    PickleDict dict() {
        return dict;
    }

    /** Offset of the dictionary in the file. */
    public long position() {
        return dict.position();
    }

    public boolean has(String field) {
        return dict.get(field).filter(v -> v != None.NONE).isPresent();
    }

    /** A number of bytes, 0 … {@link #MOST_BYTES}; empty where it is missing or none. */
    public OptionalLong bytes(String field) {
        Object value = valueOf(field);
        if (value instanceof Long && (Long) value >= 0 && (Long) value <= MOST_BYTES) {
            return OptionalLong.of((Long) value);
        }
        return odd(field, value, OptionalLong.empty());
    }

    /** The same, or this where it is missing or none. */
    public long bytesOr(String field, long missing) {
        return bytes(field).orElse(missing);
    }

    /** A number that fits 64 bits, signed or not: an address or a stream; empty where it is missing or none. */
    public OptionalLong word(String field) {
        Object value = valueOf(field);
        return isWord(value) ? OptionalLong.of(((Number) value).longValue()) : odd(field, value, OptionalLong.empty());
    }

    /** Whether a value fits 64 bits, signed or not. */
    public static boolean isWord(Object value) {
        return value instanceof Long
                || value instanceof BigInteger
                        && ((BigInteger) value).signum() > 0
                        && ((BigInteger) value).bitLength() <= Long.SIZE;
    }

    public long wordOr(String field, long missing) {
        return word(field).orElse(missing);
    }

    /** A signed whole number. */
    public long wholeOr(String field, long missing) {
        Object value = valueOf(field);
        return value instanceof Long ? (Long) value : odd(field, value, missing);
    }

    double realOr(String field, double missing) {
        Object value = valueOf(field);
        return value instanceof Double || value instanceof Long
                ? ((Number) value).doubleValue()
                : odd(field, value, missing);
    }

    boolean isTrue(String field) {
        Object value = valueOf(field);
        if (value instanceof Long && ((Long) value == 0 || (Long) value == 1)) {
            return (Long) value == 1;
        }
        return value instanceof Boolean ? (Boolean) value : odd(field, value, false);
    }

    public String textOr(String field, String missing) {
        Object value = valueOf(field);
        return value instanceof String ? (String) value : odd(field, value, missing);
    }

    /** A pair of pools, the default one where the file does not say. */
    public PoolId pool(String field) {
        Object value = valueOf(field);
        Optional<PoolId> pair = value instanceof PickleList ? pool((PickleList) value) : Optional.empty();
        return pair.orElseGet(() -> odd(field, value, PoolId.DEFAULT));
    }

    /** The pair of pools that this list tells; empty where it is no pair of numbers. */
    public static Optional<PoolId> pool(PickleList pair) {
        if (pair.size() != 2 || !(pair.get(0) instanceof Long) || !(pair.get(1) instanceof Long)) {
            return Optional.empty();
        }
        long graph = (Long) pair.get(0);
        long user = (Long) pair.get(1);
        return Optional.of(graph == 0 && user == 0 ? PoolId.DEFAULT : new PoolId(graph, user));
    }

    public PickleList listOrEmpty(String field) {
        Object value = valueOf(field);
        return value instanceof PickleList ? (PickleList) value : odd(field, value, NO_ITEMS);
    }

    public Optional<Fields> fields(String field) {
        Object value = valueOf(field);
        return value instanceof PickleDict
                ? Optional.of(new Fields((PickleDict) value, oddities))
                : odd(field, value, Optional.empty());
    }

    /** Item i of a list in this field; empty where it is no dictionary. */
    public Optional<Fields> element(PickleList list, int i, String field) {
        Object value = list.get(i);
        return value instanceof PickleDict
                ? Optional.of(new Fields((PickleDict) value, oddities))
                : odd(field + "[" + i + "]", value, Optional.empty());
    }

    /** Notes that this field says what it cannot say. */
    public void note(String field) {
        oddities.note(field, position());
    }

    /** What is missing or None is not told, and that is nothing odd. */
    private Object valueOf(String field) {
        return dict.get(field).orElse(None.NONE);
    }

    private <T> T odd(String field, Object value, T instead) {
        if (value != None.NONE) {
            note(field);
        }
        return instead;
    }
}
