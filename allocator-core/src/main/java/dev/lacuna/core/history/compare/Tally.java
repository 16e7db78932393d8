package dev.lacuna.core.history.compare;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Adds up two sides under keys. */
final class Tally<K> {
    private static final int A = 0;
    private static final int B = 1;

    private final Map<K, Held[]> held;

    /** Over this map, which decides how keys are told apart. */
    Tally(Map<K, Held[]> held) {
        this.held = held;
    }

    /** A tally whose keys have an order. */
    static <K extends Comparable<K>> Tally<K> sorted() {
        return new Tally<>(new TreeMap<>());
    }

    void addA(K key, long bytes) {
        add(key, A, bytes);
    }

    void addB(K key, long bytes) {
        add(key, B, bytes);
    }

    /** What was added up, in the order of the map. */
    <T> List<Difference<T>> differences(Function<K, T> name) {
        return held.entrySet().stream()
                .map(e -> new Difference<>(name.apply(e.getKey()), e.getValue()[A], e.getValue()[B]))
                .toList();
    }

    private void add(K key, int side, long bytes) {
        Held[] sides = held.computeIfAbsent(key, k -> new Held[] {Held.NOTHING, Held.NOTHING});
        sides[side] = sides[side].plus(bytes);
    }
}
