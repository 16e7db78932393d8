package dev.lacuna.core.allocator.caching;

import static dev.lacuna.core.allocator.block.BlockTable.NONE;

import dev.lacuna.core.allocator.block.BlockTable;
import dev.lacuna.core.allocator.block.RequestSize;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.Pool;
import dev.lacuna.core.base.event.HeldSegment;
import java.util.List;

/**
 * The two pools of PyTorch's native caching allocator, small and large, and the rules they share: best fit within a
 * stream, split, segments of 2 MiB, 20 MiB or the request's own size, coalescing within a segment, caching of wholly
 * free segments. Published in PyTorch's {@code CUDACachingAllocator}.
 */
public final class StockPools {
    private final BlockTable blocks;
    private final Device device;
    private CachingOptions options;
    /** For requests up to 1 MiB. */
    public static final Pool SMALL = new Pool(0, "small");

    /** For larger ones. */
    public static final Pool LARGE = new Pool(1, "large");

    /** Both. */
    public static final List<Pool> ALL = List.of(SMALL, LARGE);

    private final StockPool small;
    private final StockPool large;
    private int segmentsCreated;

    /** The agent's: default options, segments at the lowest addresses. */
    public StockPools(BlockTable blocks, Device device) {
        this(blocks, device, CachingOptions.AGENT, new LowestAddresses(device.rangeBytes()));
    }

    public StockPools(BlockTable blocks, Device device, CachingOptions options, SegmentAddresses addresses) {
        this.blocks = blocks;
        this.device = device;
        this.options = options;
        this.small = new StockPool(SMALL, blocks, device, options, addresses);
        this.large = new StockPool(LARGE, blocks, device, options, addresses);
    }

    /** Other options from now on; what lies where it lies stays. */
    void options(CachingOptions changed) {
        options = changed;
        small.options(changed);
        large.options(changed);
    }

    /** A block from what is held already, or NONE. */
    public int reuse(Pool pool, long rounded, int stream) {
        return pool(pool).reuse(rounded, stream);
    }

    /** The free block that would be looked at for a request, or NONE; {@link #serve} hands it out. */
    public int fitting(Pool pool, long rounded, int stream) {
        return pool(pool).fitting(rounded, stream);
    }

    /** Hands out a block that was found fitting, or NONE where it would be wasted. */
    public int serve(int b, long rounded) {
        return poolOf(b).serve(b, rounded);
    }

    /** Segments of another kind, which grow, are made from now on: by PyTorch's rules blocks of these are split as theirs are. */
    public void splitFinely() {
        small.splitFinely();
        large.splitFinely();
    }

    /** Segments created so far: the next one's number. */
    public int segmentsCreated() {
        return segmentsCreated;
    }

    /** A block from a new segment, or NONE when the device or the addresses have no room for one. */
    public int grow(Pool pool, long rounded, int stream) {
        long bytes = options.segmentBytes(rounded);
        if (!device.allows(bytes)) {
            return NONE;
        }
        int b = pool(pool).grow(bytes, rounded, stream, segmentsCreated);
        if (b != NONE) {
            segmentsCreated++;
        }
        return b;
    }

    /**
     * A block is free again. Its segment, if that is wholly free now, stays cached unless the pools are being drained or,
     * by the agent's rules, reserved is above the cap. Pools that are drained give whole slots of other segments back too.
     */
    public void release(int b, boolean draining) {
        StockPool pool = poolOf(b);
        int whole = pool.release(b);
        if (!blocks.hasNeighbour(whole) && (draining || (options.agentRules() && device.overLimit()))) {
            pool.giveBack(whole);
        } else if (draining && blocks.hasNeighbour(whole)) {
            pool.giveSlotsBack(whole, this::newNumber);
        }
    }

    /** Other rules hold from now on: gives all free memory back that can go, of segments still in use whole slots. */
    public void leave() {
        large.leave(this::newNumber);
        small.leave(this::newNumber);
    }

    /** Gives wholly free segments back, large ones first, by offset, until no more than {@code goal} bytes are reserved. */
    public void releaseCached(long goal) {
        large.releaseCached(goal);
        small.releaseCached(goal);
    }

    /** Gives back as many segments too large to be split as make room for this request; whether that was enough. */
    boolean releaseOversize(Pool pool, long rounded, int stream) {
        return options.maxSplitBytes() != CachingOptions.UNLIMITED && pool(pool).releaseOversize(rounded, stream);
    }

    /** Before the device is asked for more: gives old cached segments back if too much is reserved by the threshold. */
    void collectGarbage() {
        if (!large.collectsGarbage()) {
            return;
        }
        long threshold = (long) (options.garbageCollectionThreshold() * device.limitBytes());
        if (device.reservedBytes() > threshold) {
            large.collectGarbage(device.reservedBytes() - threshold);
        }
    }

    /** Takes over a segment that exists already: a row for each of its blocks, in order of their addresses. */
    int[] adopt(HeldSegment held) {
        StockPool pool = held.large() ? large : small;
        int[] rows = new int[held.blocks().size()];
        int rest = pool.adopt(held.address(), held.bytes(), held.stream(), segmentsCreated++);
        for (int i = 0; i < rows.length; i++) {
            rows[i] = rest;
            if (i < rows.length - 1) {
                rest = blocks.cut(rest, held.blocks().get(i).bytes());
            }
        }
        for (int i = 0; i < rows.length; i++) {
            if (held.blocks().get(i).free()) {
                pool.adoptFree(rows[i]);
            }
        }
        return rows;
    }

    /** Bytes in wholly free segments. */
    public long releasableBytes() {
        return small.releasableBytes() + large.releasableBytes();
    }

    /** Segments held. */
    public int segments() {
        return small.segments() + large.segments();
    }

    /** Bytes that a pool took from the device. */
    public long reservedBytes(Pool pool) {
        return pool(pool).reservedBytes();
    }

    /** Offset of a block in its segment. */
    public long offsetInSegment(int b) {
        return blocks.offset(b) - blocks.start(b);
    }

    /** The stock pool for requests of this size. */
    public static Pool poolFor(long rounded) {
        return RequestSize.small(rounded) ? SMALL : LARGE;
    }

    private int newNumber() {
        return segmentsCreated++;
    }

    private StockPool pool(Pool pool) {
        return pool.equals(SMALL) ? small : large;
    }

    private StockPool poolOf(int b) {
        return blocks.pool(b) == SMALL.number() ? small : large;
    }
}
