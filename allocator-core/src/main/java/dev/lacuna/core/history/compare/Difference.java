package dev.lacuna.core.history.compare;

import java.util.Comparator;

/**
 * What two sides hold under one key.
 *
 * @param key a call stack, a class of sizes, a segment
 * @param a what the base holds
 * @param b what the other side holds
 * @param <K> the kind of key
 */
public record Difference<K>(K key, Held a, Held b) {
    /** The largest change first, growth before loss. */
    static <K> Comparator<Difference<K>> largestFirst() {
        return Comparator.<Difference<K>>comparingLong(d -> -Math.abs(d.bytes()))
                .thenComparingLong(d -> -d.bytes())
                .thenComparingLong(d -> -Math.max(d.a.bytes(), d.b.bytes()));
    }

    /** How many bytes the other side holds more than the base. */
    public long bytes() {
        return b.bytes() - a.bytes();
    }

    /** How many blocks the other side holds more than the base. */
    public long count() {
        return b.count() - a.count();
    }

    /** The same seen from the other side. */
    public Difference<K> swapped() {
        return new Difference<>(key, b, a);
    }
}
