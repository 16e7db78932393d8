package dev.lacuna.core.pool;

import static dev.lacuna.core.pool.BlockTable.NONE;

import dev.lacuna.core.lifetime.OpenPhases;
import dev.lacuna.core.memory.Backend;
import dev.lacuna.core.memory.GapParts;
import dev.lacuna.core.memory.MemoryCounters;
import dev.lacuna.core.memory.Phase;
import dev.lacuna.core.memory.PoolName;
import dev.lacuna.core.memory.PoolUsage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What every model shares: names of blocks, the books (requested, allocated, pending, peaks), blocks that wait for streams,
 * phases and steps, the cap. A policy says where a block goes and what becomes of freed memory.
 *
 * <p>Invariants after every call: requested ≤ allocated ≤ active ≤ reserved; the pools' figures sum to the device's.
 */
abstract class ModelAllocator implements Allocator {
    private final Device device;
    private final BlockTable blocks;
    private final StreamUses streams = new StreamUses();
    private final OpenPhases phases = new OpenPhases();
    private final StepMeter step = new StepMeter();
    private final long[] allocatedByPool = new long[PoolName.values().length];
    private int[] rowsById = new int[256];

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

    ModelAllocator(Device device, BlockTable blocks) {
        this.device = device;
        this.blocks = blocks;
    }

    // ---------------------------------------------------------------- what a policy decides

    /** The block size that a request of this many bytes, 1 … 2^60, needs. */
    long rounded(long bytes) {
        return RequestSize.rounded(bytes);
    }

    /** Whether releasing memory waits for the streams that use it; else only what is done by itself is completed. */
    boolean waitsForStreams() {
        return false;
    }

    /** Whether a lowered cap is reached at once by releasing cached memory; else it is looked at when more is asked for. */
    boolean reachesCapAtOnce() {
        return true;
    }

    /** Finds room for a request: the row of a live block, or NONE when even the last resort failed. */
    abstract int place(long rounded, int stream);

    /** The trainer gave this block back; it may still be pending. */
    void freed(int block) {}

    /** This block is free from now on. */
    abstract void release(int block);

    /** Gives cached memory back until no more than {@code goal} bytes are reserved. */
    abstract void releaseCached(long goal);

    /** The outermost phase {@code step} begins. */
    void stepBegan() {}

    /** The outermost phase {@code step} ends. */
    void stepEnded() {}

    /** Bytes in wholly free segments or chunks. */
    abstract long releasableBytes();

    /** Segments and runs of adjacent chunks held. */
    abstract long segments();

    /** Pieces of device memory held, as {@link Peaks#pieces} counts them. */
    abstract long pieces();

    /** Whether the segregated pools are in force. */
    abstract boolean optimisation();

    /** Chunks moved so far. */
    abstract long remaps();

    /** Bytes that one pool holds of the device. */
    abstract long reservedBytes(PoolName pool);

    /** Offset of a live block in its segment or range. */
    abstract long placementOffset(int block);

    // ---------------------------------------------------------------- requests

    @Override
    public final Outcome allocate(int id, long bytes, int stream) {
        if (row(id) != NONE) {
            throw new IllegalStateException("block " + id + " is live already");
        }
        if (bytes == 0) {
            return Outcome.EMPTY;
        }
        if (bytes > RequestSize.LARGEST_BYTES || rounded(bytes) > device.rangeBytes()) {
            return outOfMemory(bytes);
        }
        completePending();
        int block = place(rounded(bytes), stream);
        if (block == NONE) {
            return outOfMemory(bytes);
        }
        blocks.handOut(block, bytes, stream);
        name(id, block);
        account(block, bytes);
        return Outcome.PLACED;
    }

    @Override
    public final boolean free(int id) {
        int block = row(id);
        if (block == NONE) {
            return false;
        }
        rowsById[id] = NONE;
        frees++;
        freed(block);
        requestedBytes -= blocks.requested(block);
        allocatedBytes -= blocks.size(block);
        allocatedByPool[blocks.pool(block)] -= blocks.size(block);
        if (streams.free(block)) {
            blocks.markPending(block);
            pendingBytes += blocks.size(block);
        } else {
            release(block);
        }
        return true;
    }

    @Override
    public final void recordStream(int id, int stream) {
        int block = row(id);
        if (block != NONE && stream != blocks.user(block)) {
            streams.record(block, stream);
        }
    }

    @Override
    public final void streamDone(int stream) {
        streams.done(stream);
    }

    @Override
    public final void phase(Phase phase, boolean begin) {
        boolean outermost = begin ? phases.begin(phase) : phases.end(phase);
        if (!outermost || phase != Phase.STEP) {
            return;
        }
        if (begin) {
            step.began(allocatedBytes, device.reservedBytes(), remaps());
            stepBegan();
        } else {
            step.ended(remaps());
            stepEnded();
        }
    }

    @Override
    public final void emptyCache() {
        if (waitsForStreams()) {
            waitForStreams();
        }
        completePending();
        releaseCached(0);
    }

    @Override
    public final long limit(long bytes) {
        device.limit(bytes);
        return reachLimit();
    }

    @Override
    public final long fraction(double fraction) {
        device.fraction(fraction);
        return reachLimit();
    }

    @Override
    public final void other(long bytes) {
        device.other(bytes);
    }

    // ---------------------------------------------------------------- answers

    @Override
    public final Optional<Placement> placement(int id) {
        int block = row(id);
        if (block == NONE) {
            return Optional.empty();
        }
        PoolName pool = PoolName.ofCode(blocks.pool(block)).orElseThrow();
        return Optional.of(new Placement(
                pool, blocks.segment(block), placementOffset(block), blocks.size(block), blocks.hasNeighbour(block)));
    }

    @Override
    public final MemoryCounters counters() {
        long reserved = device.reservedBytes();
        long releasable = releasableBytes();
        long split = reserved - allocatedBytes - pendingBytes - releasable;
        return new MemoryCounters(
                0,
                0,
                Backend.VIRTUAL,
                device.totalBytes(),
                reserved,
                allocatedBytes,
                requestedBytes,
                allocatedBytes + pendingBytes,
                device.limitBytes(),
                device.fraction(),
                optimisation(),
                phases.open(),
                step.count(),
                new GapParts(releasable, split, pendingBytes),
                device.otherBytes(),
                usage(),
                peakAllocated,
                peakReserved,
                step.lastPeakAllocated(),
                step.lastPeakReserved(),
                allocations,
                frees,
                ooms,
                retries,
                remaps(),
                step.lastRemaps(),
                segments(),
                OptionalLong.empty(),
                step.lastPeakAllocated().orElse(allocatedBytes));
    }

    @Override
    public final long reservedBytes() {
        return device.reservedBytes();
    }

    @Override
    public final long allocatedBytes() {
        return allocatedBytes;
    }

    @Override
    public final long splitBlocks() {
        return blocks.freeWithNeighbour();
    }

    @Override
    public final String outOfMemoryMessage() {
        return ooms == 0 ? "" : OutOfMemoryMessage.ofAgent(failedBytes, counters());
    }

    @Override
    public final Peaks peaks() {
        return new Peaks(peakRequested, peakAllocated, peakReserved, peakPieces);
    }

    // ---------------------------------------------------------------- for policies

    final Device device() {
        return device;
    }

    final BlockTable blocks() {
        return blocks;
    }

    final boolean inSetup() {
        return phases.isOpen(Phase.SETUP);
    }

    /** The running request needed cached memory or another pool's. */
    final void countRetry() {
        retries++;
    }

    /** Pending blocks whose streams are done become free, in the order of their frees. */
    final void completePending() {
        for (int block : streams.completed()) {
            pendingBytes -= blocks.size(block);
            release(block);
        }
    }

    /** Every pending block can be completed now. */
    final void waitForStreams() {
        streams.allDone();
    }

    /** The row of the live block of this id, or NONE. */
    final int row(int id) {
        return id < rowsById.length ? rowsById[id] : NONE;
    }

    /** A block that was handed out before this model began: it counts in the books, not as a request. */
    final void adopt(int id, int block, long bytes, int stream) {
        if (row(id) != NONE) {
            throw new IllegalStateException("block " + id + " is live already");
        }
        blocks.handOut(block, bytes, stream);
        name(id, block);
        account(block, bytes);
        allocations--;
    }

    // ---------------------------------------------------------------- the books

    private void account(int block, long bytes) {
        long size = blocks.size(block);
        allocations++;
        requestedBytes += bytes;
        allocatedBytes += size;
        allocatedByPool[blocks.pool(block)] += size;
        peakRequested = Math.max(peakRequested, requestedBytes);
        peakAllocated = Math.max(peakAllocated, allocatedBytes);
        peakReserved = Math.max(peakReserved, device.reservedBytes());
        peakPieces = Math.max(peakPieces, pieces());
        step.saw(allocatedBytes, device.reservedBytes());
    }

    private Outcome outOfMemory(long bytes) {
        ooms++;
        failedBytes = bytes;
        return Outcome.OUT_OF_MEMORY;
    }

    private long reachLimit() {
        if (reachesCapAtOnce()) {
            completePending();
            releaseCached(device.limitBytes());
        }
        return Math.max(0, device.reservedBytes() - device.limitBytes());
    }

    private List<PoolUsage> usage() {
        List<PoolUsage> usage = new ArrayList<>();
        for (PoolName pool : PoolName.values()) {
            usage.add(new PoolUsage(pool, reservedBytes(pool), allocatedByPool[pool.ordinal()]));
        }
        return usage;
    }

    private void name(int id, int block) {
        if (id >= rowsById.length) {
            rowsById = Arrays.copyOf(rowsById, Math.max(id + 1, rowsById.length * 2));
        }
        rowsById[id] = block;
    }
}
