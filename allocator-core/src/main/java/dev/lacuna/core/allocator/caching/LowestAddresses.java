package dev.lacuna.core.allocator.caching;

import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.Pool;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * A driver without surprises: each pool owns a range of addresses from 0, and a segment lies in the lowest run of free slots
 * that is long enough.
 */
final class LowestAddresses implements SegmentAddresses {
    private final int slots;
    private final Map<Pool, BitSet> taken = new HashMap<>();

    LowestAddresses(long rangeBytes) {
        slots = Math.toIntExact(rangeBytes / Device.SLOT_BYTES);
    }

    @Override
    public long take(Pool pool, long bytes, int stream) {
        BitSet range = range(pool);
        int length = slots(bytes);
        int from = range.nextClearBit(0);
        while (from <= slots - length) {
            int end = range.nextSetBit(from);
            if (end < 0 || end - from >= length) {
                range.set(from, from + length);
                return from * Device.SLOT_BYTES;
            }
            from = range.nextClearBit(end);
        }
        return REFUSED;
    }

    /** Real addresses need not lie at the edges of slots, and mostly lie far above what is taken here. */
    @Override
    public void hold(Pool pool, long address, long bytes) {
        range(pool).set(slots(address - address % Device.SLOT_BYTES), slots(address + bytes));
    }

    @Override
    public void giveBack(Pool pool, long address, long bytes) {
        range(pool).clear(slots(address - address % Device.SLOT_BYTES), slots(address + bytes));
    }

    private BitSet range(Pool pool) {
        return taken.computeIfAbsent(pool, p -> new BitSet());
    }

    private static int slots(long bytes) {
        return Math.toIntExact((bytes + Device.SLOT_BYTES - 1) / Device.SLOT_BYTES);
    }
}
