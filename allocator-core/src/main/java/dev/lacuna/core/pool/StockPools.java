package dev.lacuna.core.pool;

import static dev.lacuna.core.pool.BlockTable.NONE;

import dev.lacuna.core.memory.PoolName;

/**
 * The two pools of PyTorch's native caching allocator, small and large, and the rules they share: best fit within a
 * stream, split, segments of 2 MiB, 20 MiB or the request's own size, coalescing within a segment, caching of wholly
 * free segments. Published in PyTorch's {@code CUDACachingAllocator}; default options.
 */
final class StockPools {
    private final BlockTable blocks;
    private final Device device;
    private final StockPool small;
    private final StockPool large;
    private int segmentsCreated;

    StockPools(BlockTable blocks, Device device) {
        this.blocks = blocks;
        this.device = device;
        this.small = new StockPool(PoolName.STOCK_SMALL, blocks, device);
        this.large = new StockPool(PoolName.STOCK_LARGE, blocks, device);
    }

    /** A block from what is held already, or NONE. */
    int reuse(PoolName pool, long rounded, int stream) {
        return pool(pool).reuse(rounded, stream);
    }

    /** A block from a new segment, or NONE when the device or the pool's virtual range has no room for one. */
    int grow(PoolName pool, long rounded, int stream) {
        long bytes = StockPool.segmentBytes(rounded);
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
     * A block is free again. Its segment, if that is wholly free now, stays cached unless the pools are being drained or
     * reserved is above the cap.
     */
    void release(int b, boolean draining) {
        StockPool pool = blocks.pool(b) == PoolName.STOCK_SMALL.ordinal() ? small : large;
        int whole = pool.release(b);
        if (!blocks.hasNeighbour(whole) && (draining || device.overLimit())) {
            pool.giveBack(whole);
        }
    }

    /** Gives wholly free segments back, large ones first, by offset, until no more than {@code goal} bytes are reserved. */
    void releaseCached(long goal) {
        large.releaseCached(goal);
        small.releaseCached(goal);
    }

    /** Bytes in wholly free segments. */
    long releasableBytes() {
        return small.releasableBytes() + large.releasableBytes();
    }

    /** Segments held. */
    int segments() {
        return small.segments() + large.segments();
    }

    /** Bytes that a pool took from the device. */
    long reservedBytes(PoolName pool) {
        return pool(pool).reservedBytes();
    }

    /** Offset of a block in its segment. */
    long offsetInSegment(int b) {
        return blocks.offset(b) - (blocks.pool(b) == PoolName.STOCK_SMALL.ordinal() ? small : large).segmentStart(b);
    }

    /** The stock pool for requests of this size. */
    static PoolName poolFor(long rounded) {
        return RequestSize.small(rounded) ? PoolName.STOCK_SMALL : PoolName.STOCK_LARGE;
    }

    private StockPool pool(PoolName name) {
        return name == PoolName.STOCK_SMALL ? small : large;
    }
}
