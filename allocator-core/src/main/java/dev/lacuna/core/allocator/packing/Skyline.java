package dev.lacuna.core.allocator.packing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What is placed so far: in each column everything below {@code floor} is settled and {@code open} units are still to be placed. Its
 * columns are arrays that the search reads in its innermost loops; only this class and the {@linkplain StartBounds bounds} write them.
 */
final class Skyline {
    /** No block, no height. */
    static final int NOTHING = Integer.MAX_VALUE;

    final int[] floor;
    final int[] open;

    private final int columns;
    private final int[] from;
    private final int[] until;
    private final int[] size;
    private final int[] offset;

    /** By column: the block whose top is the floor; -1 where the floor is the ground or wasted. */
    private final int[] top;

    private final List<int[]> saved = new ArrayList<>();

    Skyline(Stretch stretch) {
        columns = stretch.columns();
        from = stretch.from();
        until = stretch.until();
        size = stretch.size();
        offset = new int[size.length];
        floor = new int[columns];
        open = new int[columns];
        top = new int[columns];
    }

    /** Offset of a block that was placed. */
    int offset(int k) {
        return offset[k];
    }

    /** Nothing is placed. */
    void clear() {
        Arrays.fill(floor, 0);
        Arrays.fill(open, 0);
        Arrays.fill(top, -1);
        for (int k = 0; k < size.length; k++) {
            for (int c = from[k]; c < until[k]; c++) {
                open[c] += size[k];
            }
        }
    }

    void place(int k, int at) {
        offset[k] = at;
        for (int c = from[k]; c < until[k]; c++) {
            floor[c] = at + size[k];
            open[c] -= size[k];
            top[c] = k;
        }
    }

    /** Leaves a column empty from its floor up to a height. */
    void waste(int column, int height) {
        floor[column] = height;
        top[column] = -1;
    }

    /** Size of the block of the same lifetime right under one that starts at {@code start}; NOTHING when there is none. */
    int sizeOfSameLifetimeBelow(int k, int start) {
        int below = top[from[k]];
        boolean same = below >= 0
                && from[below] == from[k]
                && until[below] == until[k]
                && offset[below] + size[below] == start;
        return same ? size[below] : NOTHING;
    }

    /** A copy of columns [left, right), kept until the next one of this depth. */
    int[] save(int depth, int left, int right) {
        while (saved.size() <= depth) {
            saved.add(new int[3 * columns]);
        }
        int[] into = saved.get(depth);
        System.arraycopy(floor, left, into, left, right - left);
        System.arraycopy(open, left, into, columns + left, right - left);
        System.arraycopy(top, left, into, 2 * columns + left, right - left);
        return into;
    }

    void restore(int[] before, int left, int right) {
        System.arraycopy(before, left, floor, left, right - left);
        System.arraycopy(before, columns + left, open, left, right - left);
        System.arraycopy(before, 2 * columns + left, top, left, right - left);
    }
}
