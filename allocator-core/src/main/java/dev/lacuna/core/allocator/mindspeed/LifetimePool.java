package dev.lacuna.core.allocator.mindspeed;

import dev.lacuna.core.allocator.block.BlockTable;
import dev.lacuna.core.allocator.block.FreeBlocks;
import dev.lacuna.core.allocator.block.FreeSegments;
import dev.lacuna.core.allocator.block.RequestSize;
import dev.lacuna.core.allocator.lifetime.Lifetime;
import dev.lacuna.core.allocator.model.Pool;
import java.util.List;

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

    /** Garbage is never collected by age here. */
    private static final long AGELESS = 0;

    static final Pool DEFAULT_SMALL = new Pool(0, "default.small");
    static final Pool LONG_SMALL = new Pool(1, "long.small");
    static final Pool DEFAULT_LARGE = new Pool(2, "default.large");
    static final Pool LONG_LARGE = new Pool(3, "long.large");

    /** MindSpeed names the pools of short lives after the lifetime that it assumes by default. */
    static final List<Pool> ALL = List.of(DEFAULT_SMALL, LONG_SMALL, DEFAULT_LARGE, LONG_LARGE);

    private final boolean small;
    private final Lifetime lifetime;
    private final BlockTable blocks;
    private final FreeBlocks free;
    private final FreeSegments whole = new FreeSegments();
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
    Pool name() {
        return ALL.get((small ? 0 : 2) + lifetime.ordinal());
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
        return free.firstAtLeast(stream, rounded);
    }

    /** Hands out a free block, split if the rest is worth keeping. */
    void take(int block, long rounded) {
        free.remove(block);
        if (!blocks.hasNeighbour(block)) {
            forgetWhole(block);
        }
        split(block, rounded);
    }

    /** A new segment's only block joins the pool and is handed out. */
    void open(int block, long rounded) {
        segments++;
        reservedBytes += blocks.size(block);
        split(block, rounded);
    }

    /** A block of this pool is free from now on. */
    void release(int block) {
        int joined = free.release(block);
        if (!blocks.hasNeighbour(joined)) {
            whole.add(joined, AGELESS);
            releasableBytes += blocks.size(joined);
        }
    }

    /** Gives up every wholly free segment; returns their bytes, which go back to the device. */
    long releaseCached() {
        long released = releasableBytes;
        while (whole.count() > 0) {
            int block = whole.oldest();
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
        whole.remove(block);
        releasableBytes -= blocks.size(block);
    }

    /** should_split: small pools keep every rest, large ones only a rest above kSmallSize, even if exactness was wanted. */
    private void split(int block, long rounded) {
        long rest = blocks.size(block) - rounded;
        if (small ? rest >= RequestSize.UNIT_BYTES : rest > RequestSize.SMALL_BYTES) {
            free.add(blocks.cut(block, rounded));
        }
    }
}
