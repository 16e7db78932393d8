package dev.lacuna.core.pool;

import static dev.lacuna.core.pool.BlockTable.NONE;

import dev.lacuna.core.lifetime.Lifetime;
import dev.lacuna.core.memory.PoolName;

/**
 * One of MindSpeed's four pools: small or large, for long lives or by default. It owns segments, and knows how large they
 * are, when a block is split, and which of its free blocks fits best.
 *
 * <p>Invariant: releasable = bytes of the segments whose only block is free.
 */
final class LifetimePool {
    /** kSmallBuffer: a segment for small blocks. */
    private static final long SMALL_SEGMENT_BYTES = 2L << 20;

    /** kLargeBuffer: a segment by default for what is below kMinLargeAlloc. */
    private static final long LARGE_SEGMENT_BYTES = 20L << 20;

    /** kMinLargeAlloc: from here on a segment has the size of its first request by default too. */
    private static final long OWN_SEGMENT_FROM_BYTES = 10L << 20;

    /** kRoundLarge: own segments are whole multiples of this. */
    private static final long ROUND_BYTES = 2L << 20;

    private final boolean small;
    private final Lifetime lifetime;
    private final BlockTable blocks;
    private final FreeBlocks free;
    private final WholeSegments whole = new WholeSegments();
    private long releasableBytes;
    private long reservedBytes;
    private int segments;

    LifetimePool(boolean small, Lifetime lifetime, BlockTable blocks) {
        this.small = small;
        this.lifetime = lifetime;
        this.blocks = blocks;
        this.free = new FreeBlocks(blocks);
    }

    /** SHORT stands for MindSpeed's default. */
    PoolName name() {
        if (small) {
            return lifetime == Lifetime.LONG ? PoolName.LONG_SMALL : PoolName.SHORT_SMALL;
        }
        return lifetime == Lifetime.LONG ? PoolName.LONG_LARGE : PoolName.SHORT_LARGE;
    }

    boolean isSmall() {
        return small;
    }

    Lifetime lifetime() {
        return lifetime;
    }

    /** What a new segment takes from the device for a request of this rounded size. */
    long segmentBytes(long rounded) {
        if (RequestSize.small(rounded)) {
            return SMALL_SEGMENT_BYTES;
        }
        if (lifetime == Lifetime.SHORT && rounded < OWN_SEGMENT_FROM_BYTES) {
            return LARGE_SEGMENT_BYTES;
        }
        return (rounded + ROUND_BYTES - 1) & -ROUND_BYTES;
    }

    /** The smallest free block of this stream that is large enough, the lowest of equals; NONE without one. It stays free. */
    int bestFit(long rounded, int stream) {
        return free.bestFit(stream, rounded);
    }

    /** Hands out a free block, split if the rest is worth keeping. Returns the free rest, NONE where there is none. */
    int take(int block, long rounded) {
        free.remove(block);
        if (!blocks.hasNeighbour(block)) {
            forgetWhole(block);
        }
        return split(block, rounded);
    }

    /** A new segment's only block joins the pool and is handed out. Returns the free rest, NONE where there is none. */
    int open(int block, long rounded) {
        segments++;
        reservedBytes += blocks.size(block);
        return split(block, rounded);
    }

    /** A block of this pool is free from now on. */
    void release(int block) {
        int joined = free.release(block);
        if (!blocks.hasNeighbour(joined)) {
            whole.put(joined);
            releasableBytes += blocks.size(joined);
        }
    }

    /** Gives up every wholly free segment; returns their bytes, which go back to the device. */
    long releaseCached() {
        long released = releasableBytes;
        while (!whole.isEmpty()) {
            int block = whole.any();
            free.remove(block);
            forgetWhole(block);
            blocks.remove(block);
            segments--;
        }
        reservedBytes -= released;
        return released;
    }

    long releasableBytes() {
        return releasableBytes;
    }

    long reservedBytes() {
        return reservedBytes;
    }

    int segments() {
        return segments;
    }

    /** Free blocks that share their segment with others. */
    int splitBlocks() {
        return free.count() - whole.count();
    }

    private void forgetWhole(int block) {
        whole.drop(block);
        releasableBytes -= blocks.size(block);
    }

    /** should_split: small pools keep every rest, large ones only a rest above kSmallSize, even if exactness was wanted. */
    private int split(int block, long rounded) {
        long rest = blocks.size(block) - rounded;
        boolean worthKeeping = small ? rest >= RequestSize.UNIT_BYTES : rest > RequestSize.SMALL_BYTES;
        if (!worthKeeping) {
            return NONE;
        }
        int upper = blocks.cut(block, rounded);
        free.add(upper);
        return upper;
    }
}
