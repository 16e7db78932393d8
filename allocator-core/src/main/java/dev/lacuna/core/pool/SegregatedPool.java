package dev.lacuna.core.pool;

import static dev.lacuna.core.pool.BlockTable.NONE;

import dev.lacuna.core.memory.PoolName;

/**
 * One segregated pool: a virtual range tiled by blocks and free extents, of which some slots are mapped. Placement
 * prefers the position that needs the fewest new slots.
 */
final class SegregatedPool {
    /** How many extents a placement looks at, in order of (size, offset). */
    private static final int EXTENTS_TRIED = 64;

    private final BlockTable blocks;
    private final VirtualRange range;
    private final FreeBlocks free;

    /** The block or extent that ends at the range's end. */
    private int last;

    SegregatedPool(PoolName name, BlockTable blocks, long rangeBytes) {
        this.blocks = blocks;
        this.range = new VirtualRange(rangeBytes);
        this.free = new FreeBlocks(blocks);
        this.last = blocks.create(name.ordinal(), 0, 0, 0, rangeBytes);
        free.add(last);
    }

    VirtualRange range() {
        return range;
    }

    /** Finds the position that touches the fewest unmapped slots; among equals the one tried first. */
    void find(long rounded, Position best) {
        best.clear();
        boolean tailTried = false;
        int extent = free.firstAtLeast(0, rounded);
        for (int tried = 0; tried < EXTENTS_TRIED && extent != NONE; tried++) {
            tailTried |= extent == last;
            offer(extent, rounded, best);
            if (best.need == 0) {
                return;
            }
            extent = free.next(extent);
        }
        if (!tailTried && blocks.isFree(last) && blocks.size(last) >= rounded) {
            offer(last, rounded, best);
        }
    }

    /** Cuts the block out of its extent. Mapping its slots is the caller's part. */
    int occupy(Position position, long rounded) {
        int b = position.extent;
        free.remove(b);
        if (position.offset > blocks.offset(b)) {
            int lower = b;
            b = blocks.cut(lower, position.offset - blocks.offset(lower));
            free.add(lower);
        }
        if (blocks.size(b) > rounded) {
            free.add(blocks.cut(b, rounded));
        }
        if (last == position.extent) {
            last = topOf(b);
        }
        return b;
    }

    /** Joins a block that is free again with its free neighbours; returns the row of the whole. */
    int release(int b) {
        int whole = free.release(b);
        if (blocks.upper(whole) == NONE) {
            last = whole;
        }
        return whole;
    }

    /** First slot that a stretch of addresses touches. */
    static int firstSlot(long offset) {
        return (int) (offset / Device.SLOT_BYTES);
    }

    /** The slot after the last one that a stretch touches which ends before this offset. */
    static int endSlot(long end) {
        return (int) ((end + Device.SLOT_BYTES - 1) / Device.SLOT_BYTES);
    }

    private void offer(int extent, long rounded, Position best) {
        long low = blocks.offset(extent);
        best.offer(extent, low, need(low, rounded));
        if (best.need > 0 && extent != last && blocks.size(extent) > rounded) {
            long high = blocks.end(extent) - rounded;
            best.offer(extent, high, need(high, rounded));
        }
    }

    private int need(long offset, long rounded) {
        return range.unmappedIn(firstSlot(offset), endSlot(offset + rounded));
    }

    private int topOf(int b) {
        int upper = blocks.upper(b);
        return upper == NONE ? b : upper;
    }
}
