package dev.lacuna.bridge.wire;

import dev.lacuna.core.base.counters.MemoryCounters;

/**
 * One device's counters as read from the file.
 *
 * @param counters the numbers
 * @param torn the writer was in the middle of a write and did not finish it while we looked: two moments may be mixed
 * @param counted whether what is reserved, allocated and requested is known; else it stands as 0
 */
public record CounterReading(MemoryCounters counters, boolean torn, boolean counted) {
    /** One of which all is known. */
    public CounterReading(MemoryCounters counters, boolean torn) {
        this(counters, torn, true);
    }
}
