package dev.lacuna.core.allocator.segregated;

import static dev.lacuna.core.allocator.block.BlockTable.NONE;

import dev.lacuna.core.allocator.block.BlockTable;
import dev.lacuna.core.allocator.block.RequestSize;
import dev.lacuna.core.allocator.lifetime.Lifetime;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.Pool;
import java.util.List;

/**
 * The four lifetime-segregated pools: one range for small blocks, one for large ones, each shared by a short and a long pool,
 * over one stock of 2 MiB chunks. While memory is short, a placement takes idle chunks of either range by remapping.
 */
final class SegregatedPools {
    /** A block of this share of the peak allocated, or more, is big. */
    private static final int BIG_SHARE = 192;

    private static final int SMALL = 0;
    private static final int LARGE = 1;

    // Behind the two of the stock rules, which the same model has, in the order of the wire.
    static final Pool SHORT_SMALL = new Pool(2, "short.small");
    static final Pool SHORT_LARGE = new Pool(3, "short.large");
    static final Pool LONG_SMALL = new Pool(4, "long.small");
    static final Pool LONG_LARGE = new Pool(5, "long.large");

    /** All four. */
    static final List<Pool> ALL = List.of(SHORT_SMALL, SHORT_LARGE, LONG_SMALL, LONG_LARGE);

    private final BlockTable blocks;
    private final Device device;
    private final Position position = new Position();
    private final SharedRange[] ranges = new SharedRange[2];
    private final PositionSearch[] searches = new PositionSearch[2];
    private final long[] longBytes = new long[2];
    private long remaps;

    SegregatedPools(BlockTable blocks, Device device) {
        this.blocks = blocks;
        this.device = device;
        for (int r = SMALL; r <= LARGE; r++) {
            ranges[r] = new SharedRange(pool(r, Lifetime.SHORT).number(), blocks, device.rangeBytes());
            searches[r] = new PositionSearch(blocks, ranges[r], position);
        }
    }

    /** A block in the range of its size class, growing and stealing as needed; NONE, with nothing changed, where chunks are too few. */
    int place(boolean small, long rounded, Lifetime lifetime, long peakBytes) {
        int r = small ? SMALL : LARGE;
        fit(r, rounded, lifetime, peakBytes);
        if (!position.found()) {
            grow(r, rounded);
        }
        if (!position.found()) {
            return NONE;
        }
        int steal = (int) Math.max(0, position.need - device.allowedSlots());
        int block = occupy(r, rounded, lifetime);
        device.take((position.need - steal) * Device.SLOT_BYTES);
        unmapIdle(steal);
        remaps += steal;
        return block;
    }

    /** A block where no slot has to be mapped; NONE where there is no such place. */
    int placeInMapped(boolean small, long rounded, Lifetime lifetime, long peakBytes) {
        int r = small ? SMALL : LARGE;
        fit(r, rounded, lifetime, peakBytes);
        return position.found() ? occupy(r, rounded, lifetime) : NONE;
    }

    /** A block is free again. Slots that became idle stay mapped unless the pools are being drained or reserved is above the cap. */
    void release(int b, boolean draining) {
        int r = rangeOf(blocks.pool(b));
        if (blocks.pool(b) == pool(r, Lifetime.LONG).number()) {
            longBytes[r] -= blocks.size(b);
        }
        int firstTouched = Slots.at(blocks.offset(b));
        int endTouched = Slots.from(blocks.end(b));
        int whole = ranges[r].release(b);
        if (!draining && !device.overLimit()) {
            return;
        }
        int first = Math.max(firstTouched, Slots.from(blocks.offset(whole)));
        int end = Math.min(endTouched, Slots.at(blocks.end(whole)));
        if (!draining) {
            end = (int) Math.min(end, first + Slots.from(device.reservedBytes() - device.limitBytes()));
        }
        if (first < end) {
            ranges[r].unmap(whole, first, end);
            device.giveBack((end - first) * Device.SLOT_BYTES);
        }
    }

    /** Gives idle chunks back until no more than {@code goal} bytes are reserved. */
    void releaseCached(long goal) {
        long excess = Math.max(0, device.reservedBytes() - goal);
        int count = (int) Math.min(idleSlots(), (excess + Device.SLOT_BYTES - 1) / Device.SLOT_BYTES);
        unmapIdle(count);
        device.giveBack(count * Device.SLOT_BYTES);
    }

    /** Bytes in idle chunks. */
    long releasableBytes() {
        return idleSlots() * Device.SLOT_BYTES;
    }

    /** Chunks held. */
    int chunks() {
        return ranges[SMALL].mappedSlots() + ranges[LARGE].mappedSlots();
    }

    /** Maximal runs of adjacent chunks. */
    int runs() {
        return ranges[SMALL].runs() + ranges[LARGE].runs();
    }

    /** Chunks moved so far. */
    long remaps() {
        return remaps;
    }

    /** A long pool holds its blocks; the rest of the range counts with the short pool, which uses it first. */
    long reservedBytes(Pool pool) {
        int r = rangeOf(pool.number());
        boolean longLived = pool.equals(LONG_SMALL) || pool.equals(LONG_LARGE);
        return longLived ? longBytes[r] : ranges[r].mappedSlots() * Device.SLOT_BYTES - longBytes[r];
    }

    private void fit(int r, long rounded, Lifetime lifetime, long peakBytes) {
        boolean big = !RequestSize.small(rounded) && rounded >= peakBytes / BIG_SHARE;
        searches[r].fit(rounded, big, lifetime == Lifetime.LONG);
    }

    /** Where the position that needs the fewest slots cannot be filled, the best of those that can. */
    private void grow(int r, long rounded) {
        searches[r].grow(rounded);
        long steal = position.found() ? position.need - device.allowedSlots() : 0;
        if (steal > 0 && steal > idleSlots() - ranges[r].idleIn(position.block, position.offset, rounded)) {
            searches[r].growFrom(rounded, (int) device.allowedSlots(), idleSlots());
        }
    }

    private int occupy(int r, long rounded, Lifetime lifetime) {
        int block = ranges[r].occupy(position, rounded);
        blocks.pool(block, pool(r, lifetime).number());
        if (lifetime == Lifetime.LONG) {
            longBytes[r] += rounded;
        }
        return block;
    }

    private int idleSlots() {
        return ranges[SMALL].idleSlots() + ranges[LARGE].idleSlots();
    }

    /** Unmaps so many idle slots: of the largest piece first, there the lowest. Of equal pieces the highest goes first. */
    private void unmapIdle(int count) {
        int small = ranges[SMALL].pieces().last(0);
        int large = ranges[LARGE].pieces().last(0);
        for (int left = count; left > 0; ) {
            boolean fromLarge = small == NONE || (large != NONE && blocks.size(large) >= blocks.size(small));
            SharedRange range = ranges[fromLarge ? LARGE : SMALL];
            int piece = fromLarge ? large : small;
            int next = range.pieces().previous(piece);
            int take = Math.min(left, range.whole(piece));
            if (take > 0) {
                int first = Slots.from(blocks.offset(piece));
                range.unmap(piece, first, first + take);
                left -= take;
            }
            if (fromLarge) {
                large = next;
            } else {
                small = next;
            }
        }
    }

    private static int rangeOf(int pool) {
        return pool == SHORT_SMALL.number() || pool == LONG_SMALL.number() ? SMALL : LARGE;
    }

    private static Pool pool(int range, Lifetime lifetime) {
        if (lifetime == Lifetime.SHORT) {
            return range == SMALL ? SHORT_SMALL : SHORT_LARGE;
        }
        return range == SMALL ? LONG_SMALL : LONG_LARGE;
    }
}
