package dev.lacuna.core.pool;

import dev.lacuna.core.lifetime.OpenPhases;
import dev.lacuna.core.memory.Backend;
import dev.lacuna.core.memory.GapParts;
import dev.lacuna.core.memory.MemoryCounters;
import dev.lacuna.core.memory.Phase;
import dev.lacuna.core.memory.PoolName;
import dev.lacuna.core.memory.PoolUsage;
import dev.lacuna.core.memory.SafeLimit;
import dev.lacuna.core.memory.SwapCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * The books of one model: requested, allocated, pending and their peaks, phases and steps. Bytes throughout.
 *
 * <p>Invariants: requested ≤ allocated ≤ allocated + pending ≤ reserved; the pools' allocated sum to the whole.
 */
final class AllocationBooks {
    private final Device device;
    private final OpenPhases phases = new OpenPhases();
    private final StepMeter step = new StepMeter();
    private final long[] allocatedByPool = new long[PoolName.values().length];

    private long requestedBytes;
    private long allocatedBytes;
    private long pendingBytes;
    private long allocations;
    private long frees;
    private long ooms;
    private long failedBytes;
    private long retries;
    private long peakRequested;
    private long peakAllocated;
    private long peakReserved;
    private long peakPieces;

    AllocationBooks(Device device) {
        this.device = device;
    }

    // ---------------------------------------------------------------- what happens

    /** A block was handed out for a request of this many bytes; the device's pieces are counted after it. */
    void handedOut(int pool, long size, long requested, long pieces) {
        allocations++;
        adopted(pool, size, requested, pieces);
    }

    /** A block was live before the model began: it counts as allocated, not as a request. */
    void adopted(int pool, long size, long requested, long pieces) {
        requestedBytes += requested;
        allocatedBytes += size;
        allocatedByPool[pool] += size;
        peakRequested = Math.max(peakRequested, requestedBytes);
        peakAllocated = Math.max(peakAllocated, allocatedBytes);
        reserved(pieces);
    }

    /** Reserved may be higher than ever. */
    void reserved(long pieces) {
        peakReserved = Math.max(peakReserved, device.reservedBytes());
        peakPieces = Math.max(peakPieces, pieces);
        step.saw(allocatedBytes, device.reservedBytes());
    }

    /** The trainer gave a block back. */
    void takenBack(int pool, long size, long requested) {
        frees++;
        requestedBytes -= requested;
        allocatedBytes -= size;
        allocatedByPool[pool] -= size;
    }

    /** A block that was taken back waits for streams. */
    void pended(long size) {
        pendingBytes += size;
    }

    /** It waits no more. */
    void completed(long size) {
        pendingBytes -= size;
    }

    /** A request of this many bytes failed for good. */
    Outcome failed(long bytes) {
        ooms++;
        failedBytes = bytes;
        return Outcome.OUT_OF_MEMORY;
    }

    /** A request needed cached memory or another pool's. */
    void retried() {
        retries++;
    }

    /** Takes in a mark; true where it is the outermost begin or end of {@code step}. */
    boolean phase(Phase phase, boolean begin, long remaps) {
        boolean outermost = begin ? phases.begin(phase) : phases.end(phase);
        if (!outermost || phase != Phase.STEP) {
            return false;
        }
        if (begin) {
            step.began(allocatedBytes, device.reservedBytes(), remaps);
        } else {
            step.ended(remaps);
        }
        return true;
    }

    // ---------------------------------------------------------------- what holds

    boolean isOpen(Phase phase) {
        return phases.isOpen(phase);
    }

    long allocatedBytes() {
        return allocatedBytes;
    }

    long allocatedBytes(PoolName pool) {
        return allocatedByPool[pool.ordinal()];
    }

    long ooms() {
        return ooms;
    }

    /** Size of the last request that failed. */
    long failedBytes() {
        return failedBytes;
    }

    long peakAllocatedBytes() {
        return peakAllocated;
    }

    Peaks peaks() {
        return new Peaks(peakRequested, peakAllocated, peakReserved, peakPieces);
    }

    /**
     * Everything as counters; times are 0.
     *
     * @param optimisation whether pools are separated by lifetime
     * @param releasable bytes in wholly free segments or chunks
     * @param reserved bytes that each pool holds of the device
     * @param segments segments and runs of adjacent chunks held
     * @param remaps chunks moved so far
     */
    MemoryCounters counters(
            boolean optimisation, long releasable, ToLongFunction<PoolName> reserved, long segments, long remaps) {
        long split = device.reservedBytes() - allocatedBytes - pendingBytes - releasable;
        return new MemoryCounters(
                0,
                0,
                Backend.VIRTUAL,
                0,
                device.totalBytes(),
                device.reservedBytes(),
                allocatedBytes,
                requestedBytes,
                allocatedBytes + pendingBytes,
                device.limitBytes(),
                device.fraction(),
                optimisation,
                phases.open(),
                step.count(),
                new GapParts(releasable, split, pendingBytes),
                device.otherBytes(),
                usage(reserved),
                peakAllocated,
                peakReserved,
                step.lastPeakAllocated(),
                step.lastPeakReserved(),
                allocations,
                frees,
                ooms,
                retries,
                remaps,
                step.lastRemaps(),
                segments,
                OptionalLong.empty(),
                SafeLimit.peakReserved(peakReserved),
                SwapCounters.NONE);
    }

    private List<PoolUsage> usage(ToLongFunction<PoolName> reserved) {
        List<PoolUsage> usage = new ArrayList<>();
        for (PoolName pool : PoolName.values()) {
            usage.add(new PoolUsage(pool, reserved.applyAsLong(pool), allocatedBytes(pool)));
        }
        return usage;
    }
}
