package dev.lacuna.core.trace.snapshot.model;

import dev.lacuna.core.trace.snapshot.pickle.None;
import dev.lacuna.core.trace.snapshot.pickle.PickleDict;
import dev.lacuna.core.trace.snapshot.pickle.PickleList;
import dev.lacuna.core.trace.snapshot.pickle.SnapshotFormatException;
import dev.lacuna.core.trace.snapshot.pickle.SnapshotProblem;
import java.math.BigInteger;
import java.util.Optional;

/** The fields of one dictionary of a snapshot, read as what they have to be. */
public final class Fields {
    private static final PickleList NO_ITEMS = new PickleList();

    private final PickleDict dict;

    public Fields(PickleDict dict) {
        this.dict = dict;
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

    /** A number of bytes, 0 … 2^63 − 1. */
    public long bytes(String field) throws SnapshotFormatException {
        Object value = required(field);
        if (value instanceof Long && (Long) value >= 0) {
            return (Long) value;
        }
        throw wrong(field);
    }

    public long bytesOr(String field, long missing) throws SnapshotFormatException {
        return has(field) ? bytes(field) : missing;
    }

    /** A number that fits 64 bits, signed or not: an address or a stream. */
    public long word(String field) throws SnapshotFormatException {
        Object value = required(field);
        if (isWord(value)) {
            return ((Number) value).longValue();
        }
        throw wrong(field);
    }

    /** Whether a value fits 64 bits, signed or not. */
    public static boolean isWord(Object value) {
        return value instanceof Long
                || value instanceof BigInteger
                        && ((BigInteger) value).signum() > 0
                        && ((BigInteger) value).bitLength() <= Long.SIZE;
    }

    public long wordOr(String field, long missing) throws SnapshotFormatException {
        return has(field) ? word(field) : missing;
    }

    /** A signed whole number. */
    public long wholeOr(String field, long missing) throws SnapshotFormatException {
        if (!has(field)) {
            return missing;
        }
        Object value = required(field);
        if (value instanceof Long) {
            return (Long) value;
        }
        throw wrong(field);
    }

    double realOr(String field, double missing) throws SnapshotFormatException {
        if (!has(field)) {
            return missing;
        }
        Object value = required(field);
        if (value instanceof Double || value instanceof Long) {
            return ((Number) value).doubleValue();
        }
        throw wrong(field);
    }

    boolean isTrue(String field) throws SnapshotFormatException {
        if (!has(field)) {
            return false;
        }
        Object value = required(field);
        if (value instanceof Boolean) {
            return (Boolean) value;
        }
        throw wrong(field);
    }

    String text(String field) throws SnapshotFormatException {
        Object value = required(field);
        if (value instanceof String) {
            return (String) value;
        }
        throw wrong(field);
    }

    public String textOr(String field, String missing) throws SnapshotFormatException {
        return has(field) ? text(field) : missing;
    }

    /** A pair of pools, the default one where the file does not say. */
    public PoolId pool(String field) throws SnapshotFormatException {
        if (!has(field)) {
            return PoolId.DEFAULT;
        }
        return pool(list(field)).orElseThrow(() -> wrong(field));
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

    PickleList list(String field) throws SnapshotFormatException {
        Object value = required(field);
        if (value instanceof PickleList) {
            return (PickleList) value;
        }
        throw wrong(field);
    }

    public PickleList listOrEmpty(String field) throws SnapshotFormatException {
        return has(field) ? list(field) : NO_ITEMS;
    }

    public Optional<Fields> fields(String field) throws SnapshotFormatException {
        if (!has(field)) {
            return Optional.empty();
        }
        Object value = required(field);
        if (value instanceof PickleDict) {
            return Optional.of(new Fields((PickleDict) value));
        }
        throw wrong(field);
    }

    /** Item i of a list in this field, which has to be a dictionary. */
    public Fields element(PickleList list, int i, String field) throws SnapshotFormatException {
        Object value = list.get(i);
        if (value instanceof PickleDict) {
            return new Fields((PickleDict) value);
        }
        throw wrong(field + "[" + i + "]");
    }

    /** What to throw when a field has to be there and is not. */
    public SnapshotFormatException missing(String field) {
        return new SnapshotFormatException(SnapshotProblem.MISSING_FIELD, position(), field);
    }

    /** What to throw when a field says what it cannot say. */
    public SnapshotFormatException wrong(String field) {
        return new SnapshotFormatException(SnapshotProblem.WRONG_VALUE, position(), field);
    }

    private Object required(String field) throws SnapshotFormatException {
        return dict.get(field).orElseThrow(() -> missing(field));
    }
}
