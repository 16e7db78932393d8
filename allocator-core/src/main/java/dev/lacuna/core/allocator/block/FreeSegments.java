package dev.lacuna.core.allocator.block;

import static dev.lacuna.core.allocator.block.BlockTable.NONE;

import java.util.Arrays;

/**
 * The wholly free segments of one pool, each named by the row of its only block, with the moment when it became free: a doubly
 * linked list over rows, row 0 being its head, oldest first.
 */
public final class FreeSegments {
    private static final int HEAD = NONE;

    private int count;
    private long momentsSum;
    private int[] nexts = {HEAD};
    private int[] previous = {HEAD};
    private long[] moments = {0};

    public int count() {
        return count;
    }

    /** The segment that became free first, or NONE. */
    public int oldest() {
        return nexts[HEAD];
    }

    /** The segment that became free after this one, or NONE. */
    public int next(int b) {
        return nexts[b];
    }

    /** When the segment became free. */
    public long freeSince(int b) {
        return moments[b];
    }

    /** A segment is wholly free now; moments never fall from one to the next. */
    public void add(int b, long moment) {
        ensureRow(b);
        moments[b] = moment;
        int last = previous[HEAD];
        nexts[last] = b;
        previous[b] = last;
        nexts[b] = HEAD;
        previous[HEAD] = b;
        count++;
        momentsSum += moment;
    }

    public void remove(int b) {
        nexts[previous[b]] = nexts[b];
        previous[nexts[b]] = previous[b];
        count--;
        momentsSum -= moments[b];
    }

    /** Sum of the ages of all segments at this moment. */
    public long totalAge(long now) {
        return count * now - momentsSum;
    }

    private void ensureRow(int b) {
        if (b >= nexts.length) {
            int length = Math.max(b + 1, nexts.length * 2);
            nexts = Arrays.copyOf(nexts, length);
            previous = Arrays.copyOf(previous, length);
            moments = Arrays.copyOf(moments, length);
        }
    }
}
