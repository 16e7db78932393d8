package dev.lacuna.ui.chart;

import java.util.Arrays;

/**
 * Smallest and largest value of any stretch of a bounded, ever growing series, in logarithmic time.
 *
 * <p>Values carry absolute indexes that only grow; the newest {@code capacity} of them are kept. Level 0 holds one
 * pair per value, each level above one pair per {@value #FAN_OUT} pairs below. Because the capacity is a multiple of
 * the widest node, a node is overwritten exactly when its first value leaves the ring, so no query can meet a node
 * that mixes old and new.
 */
final class MinMaxPyramid {
    static final int FAN_OUT = 16;
    private static final int LEVELS = 4;

    /** Every capacity is a multiple of this: the values under one node of the widest level. */
    static final int GRAIN = FAN_OUT * FAN_OUT * FAN_OUT;

    private final int capacity;
    private final long[][] mins = new long[LEVELS][];
    private final long[][] maxs = new long[LEVELS][];

    /** @param capacity values kept, a positive multiple of {@link #GRAIN} */
    MinMaxPyramid(int capacity) {
        if (capacity <= 0 || capacity % GRAIN != 0) {
            throw new IllegalArgumentException("capacity must be a positive multiple of " + GRAIN + ": " + capacity);
        }
        this.capacity = capacity;
        int nodes = capacity;
        for (int level = 0; level < LEVELS; level++) {
            mins[level] = new long[nodes];
            maxs[level] = new long[nodes];
            Arrays.fill(mins[level], Long.MAX_VALUE);
            Arrays.fill(maxs[level], Long.MIN_VALUE);
            nodes /= FAN_OUT;
        }
    }

    /** Stores the extremes of the value at this index, which must be one more than the last index stored. */
    void put(long index, long min, long max) {
        long node = index;
        long span = 1;
        for (int level = 0; level < LEVELS; level++) {
            int slot = slot(level, node);
            boolean begins = index % span == 0;
            mins[level][slot] = begins ? min : Math.min(mins[level][slot], min);
            maxs[level][slot] = begins ? max : Math.max(maxs[level][slot], max);
            node /= FAN_OUT;
            span *= FAN_OUT;
        }
    }

    /**
     * Writes the smallest and the largest value of the indexes {@code from ≤ i < to} to {@code out[0]} and
     * {@code out[1]}. All of them must still be kept; an empty stretch gives {@code MAX_VALUE, MIN_VALUE}.
     */
    void extremes(long from, long to, long[] out) {
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        long at = from;
        while (at < to) {
            int level = 0;
            long span = 1;
            while (level + 1 < LEVELS && at % (span * FAN_OUT) == 0 && at + span * FAN_OUT <= to) {
                level++;
                span *= FAN_OUT;
            }
            int slot = slot(level, at / span);
            min = Math.min(min, mins[level][slot]);
            max = Math.max(max, maxs[level][slot]);
            at += span;
        }
        out[0] = min;
        out[1] = max;
    }

    /** Smallest value at one index that is still kept. */
    long min(long index) {
        return mins[0][slot(0, index)];
    }

    /** Largest value at one index that is still kept. */
    long max(long index) {
        return maxs[0][slot(0, index)];
    }

    int capacity() {
        return capacity;
    }

    private int slot(int level, long node) {
        return (int) (node % mins[level].length);
    }
}
