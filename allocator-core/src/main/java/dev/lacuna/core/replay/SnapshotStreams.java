package dev.lacuna.core.replay;

import dev.lacuna.core.snapshot.PoolId;
import java.util.HashMap;
import java.util.Map;

/**
 * Small numbers for the streams of a snapshot. A block never serves another stream, nor another pair of pools than its own; so
 * a stream of a private pair gets a number of its own, and one pair of pools in the model stands for all.
 */
final class SnapshotStreams {
    private record Key(PoolId pool, long stream) {}

    private final Map<Key, Integer> numbers = new HashMap<>();

    int number(PoolId pool, long stream) {
        return numbers.computeIfAbsent(new Key(pool, stream), key -> numbers.size());
    }
}
