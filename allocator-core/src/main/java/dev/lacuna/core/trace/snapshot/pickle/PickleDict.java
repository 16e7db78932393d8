package dev.lacuna.core.trace.snapshot.pickle;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A dictionary of a pickle: pairs in the order in which they were set, the last of equal keys holds. May contain itself. */
public final class PickleDict extends PickleContainer {
    private static final Object[] EMPTY = {};

    /** Pairs are looked at one by one up to this many entries, keys and values together. */
    private static final int LONGEST_SCAN = 64;

    private final long position;
    private Object[] pairs = EMPTY;
    private int size;

    /** By key, once a long dictionary was asked; empty until then. */
    private Map<String, Object> index = Map.of();

    /** What it has become, once it was taken down; empty until then. */
    private Optional<Object> settled = Optional.empty();

    /** A dictionary that begins at this byte. */
    public PickleDict(long position) {
        this.position = position;
    }

    /** Offset of the byte that began it. */
    public long position() {
        return position;
    }

    /** Number of pairs, those whose key was set again included. */
    public int size() {
        return size / 2;
    }

    /** Whether it is short enough for a frame or a trace entry. */
    public boolean isShort() {
        return size <= LONGEST_SCAN;
    }

    /** What it has become; empty where it is still a dictionary. */
    public Optional<Object> settled() {
        return settled;
    }

    /** It has become this: its pairs are not needed any more. */
    public void settle(Object as) {
        settled = Optional.of(as);
        pairs = EMPTY;
        size = 0;
        index = Map.of();
    }

    public Object key(int i) {
        return pairs[2 * i];
    }

    public Object value(int i) {
        return pairs[2 * i + 1];
    }

    /** Whether it has this key: mostly the first one is asked for. */
    public boolean has(String key) {
        return size > 0 && key.equals(pairs[0]) || get(key).isPresent();
    }

    /** The value of a key that is a string. */
    public Optional<Object> get(String key) {
        if (size > LONGEST_SCAN) {
            return Optional.ofNullable(index().get(key));
        }
        for (int i = size - 2; i >= 0; i -= 2) {
            if (key.equals(pairs[i])) {
                return Optional.of(pairs[i + 1]);
            }
        }
        return Optional.empty();
    }

    /** Sets these pairs: key, value, key, value … The array is taken over. */
    public void putAll(Object[] source) {
        if (size == 0) {
            pairs = source;
        } else {
            if (size + source.length > pairs.length) {
                pairs = Arrays.copyOf(pairs, Math.max(size + source.length, 2 * size));
            }
            System.arraycopy(source, 0, pairs, size, source.length);
        }
        size += source.length;
        index = Map.of();
    }

    private Map<String, Object> index() {
        if (index.isEmpty()) {
            index = new HashMap<>();
            for (int i = 0; i < size; i += 2) {
                if (pairs[i] instanceof String) {
                    index.put((String) pairs[i], pairs[i + 1]);
                }
            }
        }
        return index;
    }
}
