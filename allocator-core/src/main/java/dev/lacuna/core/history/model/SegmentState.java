package dev.lacuna.core.history.model;

import dev.lacuna.core.trace.snapshot.model.CallStacks;
import dev.lacuna.core.trace.snapshot.model.PoolId;
import java.util.Arrays;
import java.util.Collection;

/**
 * The segments that a device holds at one moment, in columns, by unsigned address. An expandable range is one segment per
 * contiguous mapped piece. Immutable.
 */
public final class SegmentState {
    /** No such segment, no call stack. */
    public static final int NONE = -1;

    public static final SegmentState EMPTY = new SegmentState(java.util.List.of());

    private final long[] addresses;
    private final long[] totals;
    private final long[] streams;
    private final PoolId[] pools;
    private final boolean[] large;
    private final boolean[] expandable;
    private final int[] stacks;

    /**
     * One segment.
     *
     * @param address where it begins, unsigned
     * @param totalBytes its size, all of it taken from the device
     * @param stream the handle of the stream that its blocks serve, 0 for the default one
     * @param pool the pair of pools that it belongs to
     * @param large whether it belongs to the large pool of the pair
     * @param expandable whether it is a piece of an expandable range
     * @param stack number of the call stack that took it, or 0 for none
     */
    public record Segment(
            long address, long totalBytes, long stream, PoolId pool, boolean large, boolean expandable, int stack) {
        public long end() {
            return address + totalBytes;
        }

        /** The same in the large or the small pool. */
        public Segment ofSize(boolean inLarge) {
            return inLarge == large ? this : new Segment(address, totalBytes, stream, pool, inLarge, expandable, stack);
        }
    }

    /** These segments, by address. */
    public SegmentState(Collection<Segment> sorted) {
        int size = sorted.size();
        addresses = new long[size];
        totals = new long[size];
        streams = new long[size];
        pools = new PoolId[size];
        large = new boolean[size];
        expandable = new boolean[size];
        stacks = new int[size];
        int i = 0;
        for (Segment segment : sorted) {
            addresses[i] = segment.address();
            totals[i] = segment.totalBytes();
            streams[i] = segment.stream();
            pools[i] = segment.pool();
            large[i] = segment.large();
            expandable[i] = segment.expandable();
            stacks[i++] = segment.stack();
        }
    }

    /** Number of segments. */
    public int size() {
        return addresses.length;
    }

    /** Unsigned address. */
    public long address(int i) {
        return addresses[i];
    }

    /** Size in bytes. */
    public long totalBytes(int i) {
        return totals[i];
    }

    /** The stream that its blocks serve: a handle, 0 for the default one. */
    public long stream(int i) {
        return streams[i];
    }

    /** The pair of pools that it belongs to. */
    public PoolId pool(int i) {
        return pools[i];
    }

    /** Whether it belongs to a large pool. */
    public boolean large(int i) {
        return large[i];
    }

    /** Whether it is a piece of an expandable range. */
    public boolean expandable(int i) {
        return expandable[i];
    }

    /** Number of the call stack that took it from the device; NONE where not known. */
    public int stack(int i) {
        return stacks[i] == CallStacks.EMPTY ? NONE : stacks[i];
    }

    /** Bytes taken from the device. */
    public long reservedBytes() {
        return Arrays.stream(totals).sum();
    }

    /** Row of the segment that this address lies in; NONE where there is none. */
    public int rowOf(long address) {
        int low = 0;
        int high = addresses.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(addresses[middle], address) <= 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high >= 0 && Long.compareUnsigned(address - addresses[high], totals[high]) < 0 ? high : NONE;
    }

    public Segment segment(int i) {
        return new Segment(addresses[i], totals[i], streams[i], pools[i], large[i], expandable[i], stacks[i]);
    }
}
