package dev.lacuna.ui.places.live;

import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.base.event.MemoryEvents;
import java.util.Arrays;

/** Collects events for a sample. */
final class EventBatch {
    private int size;
    private long[] times = new long[16];
    private long[] sizes = new long[16];
    private byte[] kinds = new byte[16];
    private byte[] pools = new byte[16];

    EventBatch add(long timeNs, EventKind kind, long bytes) {
        return add(timeNs, kind, bytes, -1);
    }

    EventBatch add(long timeNs, EventKind kind, long bytes, PoolName pool) {
        return add(timeNs, kind, bytes, pool.ordinal());
    }

    int size() {
        return size;
    }

    MemoryEvents build(long firstSequence) {
        return new MemoryEvents(
                firstSequence,
                size,
                Arrays.copyOf(times, size),
                new long[size],
                Arrays.copyOf(sizes, size),
                Arrays.copyOf(kinds, size),
                Arrays.copyOf(pools, size),
                new byte[size],
                new int[size]);
    }

    private EventBatch add(long timeNs, EventKind kind, long bytes, int pool) {
        if (size == times.length) {
            times = Arrays.copyOf(times, 2 * size);
            sizes = Arrays.copyOf(sizes, 2 * size);
            kinds = Arrays.copyOf(kinds, 2 * size);
            pools = Arrays.copyOf(pools, 2 * size);
        }
        times[size] = timeNs;
        sizes[size] = bytes;
        kinds[size] = (byte) (kind.ordinal() + 1);
        pools[size] = (byte) pool;
        size++;
        return this;
    }
}
