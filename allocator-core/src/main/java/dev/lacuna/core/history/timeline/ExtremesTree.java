package dev.lacuna.core.history.timeline;

import java.util.Arrays;

/**
 * Smallest and largest value of any stretch of a series of known length, in logarithmic time: level 0 holds one pair per value,
 * each level above one pair per {@value #FAN_OUT} pairs below.
 */
final class ExtremesTree {
    static final int FAN_OUT = 16;

    private final long[][] mins;
    private final long[][] maxs;

    /** @param size values, ≥ 1 */
    ExtremesTree(int size) {
        int levels = 1;
        for (int nodes = size; nodes > 1; nodes = (nodes + FAN_OUT - 1) / FAN_OUT) {
            levels++;
        }
        mins = new long[levels][];
        maxs = new long[levels][];
        int nodes = size;
        for (int level = 0; level < levels; level++) {
            mins[level] = new long[nodes];
            maxs[level] = new long[nodes];
            Arrays.fill(mins[level], Long.MAX_VALUE);
            Arrays.fill(maxs[level], Long.MIN_VALUE);
            nodes = (nodes + FAN_OUT - 1) / FAN_OUT;
        }
    }

    /** Sets one value's extremes; every value is set once. */
    void put(int index, long min, long max) {
        int node = index;
        for (int level = 0; level < mins.length; level++) {
            mins[level][node] = Math.min(mins[level][node], min);
            maxs[level][node] = Math.max(maxs[level][node], max);
            node /= FAN_OUT;
        }
    }

    /** The smallest of the values {@code from ≤ i < to}; {@link Long#MAX_VALUE} of none. */
    long min(int from, int to) {
        long min = Long.MAX_VALUE;
        int first = from;
        int end = to;
        for (int level = 0; first < end; level++) {
            long[] nodes = mins[level];
            boolean top = level == mins.length - 1;
            for (; first < end && (top || first % FAN_OUT != 0); first++) {
                min = Math.min(min, nodes[first]);
            }
            for (; first < end && end % FAN_OUT != 0; end--) {
                min = Math.min(min, nodes[end - 1]);
            }
            first /= FAN_OUT;
            end /= FAN_OUT;
        }
        return min;
    }

    /** The largest of the values {@code from ≤ i < to}; {@link Long#MIN_VALUE} of none. */
    long max(int from, int to) {
        long max = Long.MIN_VALUE;
        int first = from;
        int end = to;
        for (int level = 0; first < end; level++) {
            long[] nodes = maxs[level];
            boolean top = level == maxs.length - 1;
            for (; first < end && (top || first % FAN_OUT != 0); first++) {
                max = Math.max(max, nodes[first]);
            }
            for (; first < end && end % FAN_OUT != 0; end--) {
                max = Math.max(max, nodes[end - 1]);
            }
            first /= FAN_OUT;
            end /= FAN_OUT;
        }
        return max;
    }

    /** The first of the values {@code from ≤ i < to} whose largest reaches this height, or −1. */
    int firstReaching(long height, int from, int to) {
        int level = 0;
        for (int at = from; at < to; at += span(level)) {
            level = widest(at, to, level);
            int node = at / span(level);
            if (maxs[level][node] >= height) {
                while (level > 0) {
                    level--;
                    node *= FAN_OUT;
                    while (maxs[level][node] < height) {
                        node++;
                    }
                }
                return node;
            }
        }
        return -1;
    }

    /** The highest level whose node begins at this value and ends before the end, looked for from another level on. */
    private int widest(int at, int to, int before) {
        int level = before;
        while (level > 0 && (long) at + span(level) > to) {
            level--;
        }
        while (level + 1 < mins.length && at % span(level + 1) == 0 && (long) at + span(level + 1) <= to) {
            level++;
        }
        return level;
    }

    /** Values below one node of a level: a power of the fan-out. */
    private static int span(int level) {
        return 1 << 4 * level;
    }
}
