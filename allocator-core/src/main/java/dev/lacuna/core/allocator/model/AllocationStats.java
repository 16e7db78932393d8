package dev.lacuna.core.allocator.model;

import dev.lacuna.core.allocator.lifetime.OpenPhases;
import dev.lacuna.core.base.counters.Backend;
import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.counters.PoolPolicy;
import dev.lacuna.core.base.counters.PoolUsage;
import dev.lacuna.core.base.counters.SafeLimit;
import dev.lacuna.core.base.counters.SwapCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * The books of one model: requested, allocated, pending and their peaks, phases and steps. Bytes throughout.
 *
 * <p>Invariants: requested ≤ allocated ≤ allocated + pending ≤ reserved; the pools' allocated sum to the whole.
 */
public final class AllocationStats {
    private final Device device;
    private final OpenPhases phases = new OpenPhases();
    private final StepMeter step = new StepMeter();
    private final List<Pool> pools;
    private final long[] allocatedByPool;

    private long requestedBytes;
    private long allocatedBytes;
    private long pendingBytes;
    private long allocations;
    private long frees;
    private long ooms;
    private long failedBytes;
    private long retries;
    private long flushes;
    private long flushedBytes;
    private long peakRequested;
    private long peakAllocated;
    private long peakReserved;
    private long peakPieces;

    /** @param pools the model's, by their numbers */
    public AllocationStats(Device device, List<Pool> pools) {
        this.device = device;
        this.pools = List.copyOf(pools);
        allocatedByPool = new long[pools.size()];
    }

    // ---------------------------------------------------------------- what happens

    /** A block was handed out for a request of this many bytes; the device's pieces are counted after it. */
    public void handedOut(int pool, long size, long requested, long pieces) {
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
    public void takenBack(int pool, long size, long requested) {
        frees++;
        requestedBytes -= requested;
        allocatedBytes -= size;
        allocatedByPool[pool] -= size;
    }

    /** A block that was taken back waits for streams. */
    public void pended(long size) {
        pendingBytes += size;
    }

    /** It waits no more. */
    public void completed(long size) {
        pendingBytes -= size;
    }

    /** A request of this many bytes failed for good. */
    public Outcome failed(long bytes) {
        ooms++;
        failedBytes = bytes;
        return Outcome.OUT_OF_MEMORY;
    }

    /** A request needed cached memory or another pool's. */
    public void retried() {
        retries++;
    }

    /** Has all cached memory given back for the sake of a request, which counts as a retry. */
    public void flush(Runnable giveBack) {
        long before = device.reservedBytes();
        giveBack.run();
        flushes++;
        flushedBytes += before - device.reservedBytes();
        retried();
    }

    /** Takes in a mark; true where it is the outermost begin or end of {@code step}. */
    public boolean phase(Phase phase, boolean begin, long remaps) {
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

    public long allocatedBytes() {
        return allocatedBytes;
    }

    public long ooms() {
        return ooms;
    }

    /** Size of the last request that failed. */
    public long failedBytes() {
        return failedBytes;
    }

    long peakAllocatedBytes() {
        return peakAllocated;
    }

    public Flushes flushes() {
        return new Flushes(flushes, flushedBytes);
    }

    public Peaks peaks() {
        return new Peaks(peakRequested, peakAllocated, peakReserved, peakPieces);
    }

    /**
     * Everything as counters; times are 0.
     *
     * @param separation how far lifetimes are kept apart
     * @param releasable bytes in wholly free segments or chunks
     * @param reserved bytes that each pool holds of the device
     * @param segments segments and runs of adjacent chunks held
     */
    public MemoryCounters counters(
            Separation separation, long releasable, ToLongFunction<Pool> reserved, long segments) {
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
                separation.inForce(),
                PoolPolicy.SEGREGATED,
                phases.open(),
                step.count(),
                new GapParts(releasable, split, pendingBytes),
                device.outsideBytes(),
                usage(reserved),
                peakAllocated,
                peakReserved,
                step.lastPeakAllocated(),
                step.lastPeakReserved(),
                allocations,
                frees,
                ooms,
                retries,
                separation.remaps(),
                step.lastRemaps(),
                segments,
                OptionalLong.empty(),
                SafeLimit.peakReserved(peakReserved),
                SwapCounters.NONE,
                Optional.empty());
    }

    private List<PoolUsage> usage(ToLongFunction<Pool> reserved) {
        List<PoolUsage> usage = new ArrayList<>();
        for (Pool pool : pools) {
            usage.add(new PoolUsage(pool.label(), reserved.applyAsLong(pool), allocatedByPool[pool.number()]));
        }
        return usage;
    }
}
