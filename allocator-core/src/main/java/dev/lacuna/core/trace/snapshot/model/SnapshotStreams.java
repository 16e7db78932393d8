package dev.lacuna.core.trace.snapshot.model;

import java.util.HashMap;
import java.util.Map;

/**
 * Small numbers for the streams of a snapshot. A block never serves another stream, nor another pair of pools than its own; so
 * a stream of a private pair gets a number of its own, and one pair of pools in the model stands for all.
 */
public final class SnapshotStreams {
    private record Key(PoolId pool, long stream) {}

    private final Map<Key, Integer> numbers = new HashMap<>(Map.of(new Key(PoolId.DEFAULT, 0), 0));

    /** The number of this stream of this pair of pools: 0 for the default ones, the others in the order in which they are asked for. */
    public int number(PoolId pool, long stream) {
        return numbers.computeIfAbsent(new Key(pool, stream), key -> numbers.size());
    }
}
