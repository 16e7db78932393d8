package dev.lacuna.core.history.model;

import dev.lacuna.core.base.counters.GapParts;

/**
 * A device's memory at one moment, in bytes.
 *
 * @param moment after so many events
 * @param reserved taken from the device
 * @param allocated in blocks handed to the trainer
 * @param requested asked for by the trainer
 * @param gap the parts of reserved − allocated
 */
public record MemoryAtMoment(int moment, long reserved, long allocated, long requested, GapParts gap) {
    /** Allocated, and freed while a stream still uses it. */
    public long active() {
        return allocated + gap.pendingBytes();
    }

    /** Allocated − requested. */
    public long rounding() {
        return allocated - requested;
    }
}
