package dev.lacuna.ui.live;

import dev.lacuna.core.memory.Backend;
import dev.lacuna.core.memory.GapParts;
import dev.lacuna.core.memory.MemoryCounters;
import dev.lacuna.core.memory.Phase;
import dev.lacuna.core.memory.PoolName;
import dev.lacuna.core.memory.PoolUsage;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** Builds counters of a device of 8 GiB within training steps; what a test does not name is plausible. */
final class StepCounters {
    private static final long GIB = 1L << 30;

    private final long timeNs;
    private long reserved = 3 * GIB;
    private long allocated = 2 * GIB;
    private long requested = -1;
    private long peakAllocated = -1;
    private long split = -1;
    private long pending;
    private double fraction = 1;
    private boolean optimisation;
    private long step;
    private long stepPeakAllocated;
    private long stepPeakReserved;
    private long stepNs = 300_000_000;
    private long remaps;
    private long outside = GIB / 2;

    private StepCounters(long timeNs) {
        this.timeNs = timeNs;
    }

    static StepCounters at(long timeNs) {
        return new StepCounters(timeNs);
    }

    StepCounters reserved(long bytes) {
        reserved = bytes;
        return this;
    }

    StepCounters allocated(long bytes) {
        allocated = bytes;
        return this;
    }

    StepCounters requested(long bytes) {
        requested = bytes;
        return this;
    }

    StepCounters peakAllocated(long bytes) {
        peakAllocated = bytes;
        return this;
    }

    StepCounters split(long bytes) {
        split = bytes;
        return this;
    }

    StepCounters pending(long bytes) {
        pending = bytes;
        return this;
    }

    StepCounters fraction(double share) {
        fraction = share;
        return this;
    }

    StepCounters optimisation(boolean on) {
        optimisation = on;
        return this;
    }

    StepCounters outside(long bytes) {
        outside = bytes;
        return this;
    }

    /** This many steps have ended, the last one with these figures. */
    StepCounters step(long number, long peakReserved, long peakAllocatedOfStep, long ns, long remapped) {
        step = number;
        stepPeakReserved = peakReserved;
        stepPeakAllocated = peakAllocatedOfStep;
        stepNs = ns;
        remaps = remapped;
        return this;
    }

    /** This many steps have ended. */
    StepCounters step(long number) {
        return step(number, reserved, allocated, stepNs, 0);
    }

    MemoryCounters build() {
        long gap = reserved - allocated;
        long inSplit = split >= 0 ? split : gap - pending;
        boolean ended = step > 0;
        return new MemoryCounters(
                timeNs,
                0,
                Backend.VIRTUAL,
                8 * GIB,
                reserved,
                allocated,
                requested >= 0 ? requested : allocated,
                allocated + pending,
                (long) (8 * GIB * fraction),
                fraction,
                optimisation,
                ended ? Set.of(Phase.STEP) : Set.of(),
                step,
                new GapParts(gap - inSplit - pending, inSplit, pending),
                outside,
                List.of(new PoolUsage(PoolName.STOCK_LARGE, reserved, allocated)),
                peakAllocated >= 0 ? peakAllocated : allocated,
                reserved,
                ended ? OptionalLong.of(stepPeakAllocated) : OptionalLong.empty(),
                ended ? OptionalLong.of(stepPeakReserved) : OptionalLong.empty(),
                100,
                90,
                0,
                0,
                remaps,
                remaps,
                12,
                ended ? OptionalLong.of(stepNs) : OptionalLong.empty(),
                allocated);
    }
}
