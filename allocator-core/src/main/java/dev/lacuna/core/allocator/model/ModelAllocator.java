package dev.lacuna.core.allocator.model;

import static dev.lacuna.core.allocator.block.BlockTable.NONE;

import dev.lacuna.core.allocator.block.BlockTable;
import dev.lacuna.core.allocator.block.RequestSize;
import dev.lacuna.core.allocator.block.RowsById;
import dev.lacuna.core.allocator.block.StreamUses;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.Phase;
import java.util.List;
import java.util.Optional;

/**
 * What every model shares: names of blocks, the books (requested, allocated, pending, peaks), blocks that wait for streams,
 * phases and steps, the cap. A policy says where a block goes and what becomes of freed memory.
 *
 * <p>Invariants after every call: requested ≤ allocated ≤ active ≤ reserved; the pools' figures sum to the device's.
 */
public abstract class ModelAllocator implements Allocator {
    private final Device device;
    private final BlockTable blocks;
    private final StreamUses streams = new StreamUses();
    private final RowsById rows = new RowsById();
    private final AllocationStats books;
    private final List<Pool> pools;

    /** @param pools by their numbers, which blocks carry */
    public ModelAllocator(Device device, BlockTable blocks, List<Pool> pools) {
        this.device = device;
        this.blocks = blocks;
        this.books = new AllocationStats(device, pools);
        this.pools = List.copyOf(pools);
    }

    // ---------------------------------------------------------------- what a policy decides

    /** The block size that a request of this many bytes, 1 … 2^60, needs. */
    protected long rounded(long bytes) {
        return RequestSize.rounded(bytes);
    }

    /** Whether releasing memory waits for the streams that use it; else only what is done by itself is completed. */
    protected boolean waitsForStreams() {
        return false;
    }

    /** Whether a lowered cap is reached at once by releasing cached memory; else it is looked at when more is asked for. */
    protected boolean reachesCapAtOnce() {
        return true;
    }

    /** Finds room for a request: the row of a live block, or NONE when even the last resort failed. */
    protected abstract int place(long rounded, int stream);

    /** The trainer gave this block back; it may still be pending. */
    protected void freed(int block) {}

    /** This block is free from now on. */
    protected abstract void release(int block);

    /** Gives cached memory back until no more than {@code goal} bytes are reserved. */
    protected abstract void releaseCached(long goal);

    /** The outermost phase {@code step} begins. */
    protected void stepBegan() {}

    /** The outermost phase {@code step} ends. */
    protected void stepEnded() {}

    /** Bytes in wholly free segments or chunks. */
    protected abstract long releasableBytes();

    /** Segments and runs of adjacent chunks held. */
    protected abstract long segments();

    /** Pieces of device memory held, as {@link Peaks#pieces} counts them. */
    protected abstract long pieces();

    /** How far lifetimes are kept apart: to be told by models that know any. */
    protected Separation separation() {
        return Separation.NONE;
    }

    /** Bytes that one pool holds of the device. */
    protected abstract long reservedBytes(Pool pool);

    /** Offset of a live block in its segment or range. */
    protected abstract long placementOffset(int block);

    // ---------------------------------------------------------------- requests

    @Override
    public final Outcome allocate(int id, long bytes, int stream) {
        rows.requireUnused(id);
        if (bytes == 0) {
            return Outcome.EMPTY;
        }
        if (bytes > RequestSize.LARGEST_BYTES || rounded(bytes) > device.rangeBytes()) {
            return books.failed(bytes);
        }
        completePending();
        int block = place(rounded(bytes), stream);
        if (block == NONE) {
            return books.failed(bytes);
        }
        blocks.handOut(block, bytes, stream);
        rows.name(id, block);
        books.handedOut(blocks.pool(block), blocks.size(block), bytes, pieces());
        return Outcome.PLACED;
    }

    @Override
    public final boolean free(int id) {
        int block = row(id);
        if (block == NONE) {
            return false;
        }
        rows.forget(id);
        freed(block);
        books.takenBack(blocks.pool(block), blocks.size(block), blocks.requested(block));
        if (streams.free(block)) {
            blocks.markPending(block);
            books.pended(blocks.size(block));
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
        if (books.phase(phase, begin, separation().remaps())) {
            if (begin) {
                stepBegan();
            } else {
                stepEnded();
            }
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
    public final void setOutsideBytes(long bytes) {
        device.setOutsideBytes(bytes);
    }

    // ---------------------------------------------------------------- answers

    @Override
    public final Optional<Placement> placement(int id) {
        int block = row(id);
        if (block == NONE) {
            return Optional.empty();
        }
        return Optional.of(new Placement(
                pools.get(blocks.pool(block)),
                blocks.segment(block),
                placementOffset(block),
                blocks.size(block),
                blocks.hasNeighbour(block)));
    }

    @Override
    public final MemoryCounters counters() {
        return books.counters(separation(), releasableBytes(), this::reservedBytes, segments());
    }

    @Override
    public final long reservedBytes() {
        return device.reservedBytes();
    }

    @Override
    public final long allocatedBytes() {
        return books.allocatedBytes();
    }

    @Override
    public final long splitBlocks() {
        return blocks.freeWithNeighbour();
    }

    @Override
    public final String outOfMemoryMessage() {
        return books.ooms() == 0 ? "" : OutOfMemoryMessage.ofAgent(books.failedBytes(), counters());
    }

    @Override
    public final Flushes flushes() {
        return books.flushes();
    }

    @Override
    public final Peaks peaks() {
        return books.peaks();
    }

    // ---------------------------------------------------------------- for policies

    public final Device device() {
        return device;
    }

    public final BlockTable blocks() {
        return blocks;
    }

    public final boolean inSetup() {
        return books.isOpen(Phase.SETUP);
    }

    /** The highest that allocated has been. */
    public final long peakAllocatedBytes() {
        return books.peakAllocatedBytes();
    }

    /** The running request needed cached memory or another pool's. */
    public final void countRetry() {
        books.retried();
    }

    /** Has all cached memory given back for the sake of the running request. */
    protected final void flush(Runnable giveBack) {
        books.flush(giveBack);
    }

    /** Pending blocks whose streams are done become free, in the order of their frees. */
    public final void completePending() {
        for (int block : streams.completed()) {
            books.completed(blocks.size(block));
            release(block);
        }
    }

    /** Every pending block can be completed now. */
    final void waitForStreams() {
        streams.allDone();
    }

    /** The row of the live block of this id, or NONE. */
    public final int row(int id) {
        return rows.row(id);
    }

    /** A block that was handed out before this model began: it counts in the books, not as a request. */
    public final void adopt(int id, int block, long bytes, int stream) {
        rows.requireUnused(id);
        blocks.handOut(block, bytes, stream);
        rows.name(id, block);
        books.adopted(blocks.pool(block), blocks.size(block), bytes, pieces());
    }

    /** Segments without a live block were held before this model began. */
    public final void adoptedCached() {
        books.reserved(pieces());
    }

    private long reachLimit() {
        if (reachesCapAtOnce()) {
            completePending();
            releaseCached(device.limitBytes());
        }
        return Math.max(0, device.reservedBytes() - device.limitBytes());
    }
}
