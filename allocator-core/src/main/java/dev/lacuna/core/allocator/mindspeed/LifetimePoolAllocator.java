package dev.lacuna.core.allocator.mindspeed;

import static dev.lacuna.core.allocator.block.BlockTable.NONE;

import dev.lacuna.core.allocator.block.BlockTable;
import dev.lacuna.core.allocator.block.RequestSize;
import dev.lacuna.core.allocator.block.RowsById;
import dev.lacuna.core.allocator.block.StreamUses;
import dev.lacuna.core.allocator.lifetime.Lifetime;
import dev.lacuna.core.allocator.model.AllocationStats;
import dev.lacuna.core.allocator.model.Allocator;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.Flushes;
import dev.lacuna.core.allocator.model.ModelAllocator;
import dev.lacuna.core.allocator.model.OutOfMemoryMessage;
import dev.lacuna.core.allocator.model.Outcome;
import dev.lacuna.core.allocator.model.Peaks;
import dev.lacuna.core.allocator.model.Placement;
import dev.lacuna.core.allocator.model.Separation;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.Phase;
import java.util.Optional;

/**
 * MindSpeed's two-lifetime pools: tensors that survived the last forward pass or step get segments of their own size, apart
 * from the short-lived ones, and the border between the two falls bit by bit as memory runs out. Published as
 * {@code mindspeed/ops/csrc/pluggable_allocator/memory_fragmentation} in Ascend/MindSpeed, releases 1.0.RC1 to 2.0.0, with its
 * default options. The rules stand in {@code docs/lifetime-pools.md}.
 *
 * <p>It keeps its own books rather than {@link ModelAllocator}'s: here a request of no bytes gets a block, every mark of a
 * phase counts, and a lowered cap releases nothing.
 */
public final class LifetimePoolAllocator implements Allocator {
    /** The policy's name. */
    public static final String NAME = "lifetime";

    /** Requests beyond this fail like this one would: rounded up to whole segments they still fit a long. */
    private static final long LARGEST_BYTES = Long.MAX_VALUE - Device.SLOT_BYTES + 1;

    private final Device device;
    private final BlockTable blocks = new BlockTable();
    private final SegmentSupply supply;
    private final LifetimePools pools;
    private final PressureLevels levels;
    private final LifetimeRecorders recorders = new LifetimeRecorders();
    private final StreamUses streams = new StreamUses();
    private final RowsById rows = new RowsById();
    private final AllocationStats books;

    /** An allocator on a device of its own. */
    public LifetimePoolAllocator(Device device) {
        this.device = device;
        this.books = new AllocationStats(device, LifetimePool.ALL);
        this.supply = new SegmentSupply(device);
        this.pools = new LifetimePools(blocks, device, supply);
        this.levels = new PressureLevels(pools, blocks, books, this::waitForStreams);
    }

    @Override
    public String name() {
        return NAME;
    }

    // ---------------------------------------------------------------- requests

    @Override
    public Outcome allocate(int id, long bytes, int stream) {
        rows.requireUnused(id);
        completePending();
        long rounded = rounded(bytes);
        Lifetime lifetime = recorders.decide(bytes, rounded);
        int block = levels.place(rounded, stream, lifetime, recorders.inForward());
        if (block == NONE) {
            return books.failed(bytes);
        }
        recorders.born(block, bytes, rounded);
        blocks.handOut(block, bytes, stream);
        rows.name(id, block);
        books.handedOut(blocks.pool(block), blocks.size(block), bytes, pools.segments());
        return Outcome.PLACED;
    }

    @Override
    public boolean free(int id) {
        int block = rows.row(id);
        if (block == NONE) {
            return false;
        }
        rows.forget(id);
        recorders.freed(block);
        books.takenBack(blocks.pool(block), blocks.size(block), blocks.requested(block));
        if (streams.free(block)) {
            blocks.markPending(block);
            books.pended(blocks.size(block));
        } else {
            pools.release(block);
        }
        return true;
    }

    @Override
    public void recordStream(int id, int stream) {
        int block = rows.row(id);
        if (block != NONE && stream != blocks.user(block)) {
            streams.record(block, stream);
        }
    }

    @Override
    public void streamDone(int stream) {
        streams.done(stream);
    }

    @Override
    public void phase(Phase phase, boolean begin) {
        recorders.phase(phase, begin);
        books.phase(phase, begin, 0);
    }

    @Override
    public void emptyCache() {
        waitForStreams();
        pools.releaseCached();
    }

    @Override
    public long limit(long bytes) {
        device.limit(bytes);
        return capped();
    }

    @Override
    public long fraction(double fraction) {
        device.fraction(fraction);
        return capped();
    }

    @Override
    public void setOutsideBytes(long bytes) {
        device.setOutsideBytes(bytes);
    }

    // ---------------------------------------------------------------- answers

    @Override
    public Optional<Placement> placement(int id) {
        int block = rows.row(id);
        if (block == NONE) {
            return Optional.empty();
        }
        return Optional.of(new Placement(
                LifetimePool.ALL.get(blocks.pool(block)),
                blocks.segment(block),
                pools.offsetInSegment(block),
                blocks.size(block),
                blocks.hasNeighbour(block)));
    }

    @Override
    public MemoryCounters counters() {
        return books.counters(new Separation(true, 0), pools.releasableBytes(), pools::reservedBytes, pools.segments());
    }

    @Override
    public long reservedBytes() {
        return device.reservedBytes();
    }

    @Override
    public long allocatedBytes() {
        return books.allocatedBytes();
    }

    @Override
    public Flushes flushes() {
        return books.flushes();
    }

    @Override
    public Peaks peaks() {
        return books.peaks();
    }

    @Override
    public long splitBlocks() {
        return pools.splitBlocks();
    }

    @Override
    public String outOfMemoryMessage() {
        return books.ooms() == 0 ? "" : OutOfMemoryMessage.ofNpu(levels.refusedBytes(), counters(), supply.isCapped());
    }

    // ---------------------------------------------------------------- details

    /** round_size: whole units of 512 bytes, at least one. */
    private static long rounded(long bytes) {
        return Math.max(RequestSize.UNIT_BYTES, RequestSize.rounded(Math.min(bytes, LARGEST_BYTES)));
    }

    /** A cap binds what is reserved from now on; what is reserved already stays. */
    private long capped() {
        supply.capped();
        return Math.max(0, device.reservedBytes() - device.limitBytes());
    }

    private void completePending() {
        for (int block : streams.completed()) {
            books.completed(blocks.size(block));
            pools.release(block);
        }
    }

    private void waitForStreams() {
        streams.allDone();
        completePending();
    }
}
