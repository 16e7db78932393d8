package dev.lacuna.core.allocator.model;

import java.util.OptionalLong;

/** What happened in the running step and in the last full one. */
final class StepMeter {
    private long ended;
    private long peakAllocated;
    private long peakReserved;
    private long remapsAtStart;
    private long lastPeakAllocated;
    private long lastPeakReserved;
    private long lastRemaps;

    void began(long allocated, long reserved, long remaps) {
        peakAllocated = allocated;
        peakReserved = reserved;
        remapsAtStart = remaps;
    }

    void ended(long remaps) {
        ended++;
        lastPeakAllocated = peakAllocated;
        lastPeakReserved = peakReserved;
        lastRemaps = remaps - remapsAtStart;
    }

    void saw(long allocated, long reserved) {
        peakAllocated = Math.max(peakAllocated, allocated);
        peakReserved = Math.max(peakReserved, reserved);
    }

    /** Steps that have ended. */
    long count() {
        return ended;
    }

    long lastRemaps() {
        return lastRemaps;
    }

    OptionalLong lastPeakAllocated() {
        return ended == 0 ? OptionalLong.empty() : OptionalLong.of(lastPeakAllocated);
    }

    OptionalLong lastPeakReserved() {
        return ended == 0 ? OptionalLong.empty() : OptionalLong.of(lastPeakReserved);
    }
}
