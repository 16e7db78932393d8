package dev.lacuna.core.allocator.packing;

import java.util.Arrays;

/**
 * How low each open block can begin, given the floors, and what follows from it: the constraint propagation of the search. Blocks are
 * given as {@code count} numbers from {@code base} on in an array, all of which live in columns [left, right).
 */
final class StartBounds {
    private static final int NOTHING = Skyline.NOTHING;
    /** How often starts are raised at a node; further passes seldom raise more. */
    private static final int RAISES = 3;

    /** By block: where it could begin. */
    final int[] start;

    /** By column: how low its open blocks can begin, and how many of them there. */
    private final int[] lowest;

    private final int[] choices;

    private final int ceiling;
    private final Skyline skyline;
    private final int[] from;
    private final int[] until;
    private final int[] size;
    private final int[] spans;
    private final int[] firstEnd;
    private final int[] secondEnd;

    StartBounds(Stretch stretch, Skyline skyline, int ceiling) {
        this.skyline = skyline;
        this.ceiling = ceiling;
        from = stretch.from();
        until = stretch.until();
        size = stretch.size();
        start = new int[size.length];
        lowest = new int[stretch.columns()];
        choices = new int[stretch.columns()];
        spans = new int[stretch.columns()];
        firstEnd = new int[stretch.columns()];
        secondEnd = new int[stretch.columns()];
    }

    /** Whether a column has no open block. */
    boolean settled(int column) {
        return lowest[column] == NOTHING;
    }

    /** How many blocks could lie on the floor of a column. */
    int choices(int column) {
        return choices[column];
    }

    /** Finds where each open block could begin and lifts the floors to it; false when a column overflows. Sorts the blocks by that. */
    boolean raiseFloors(int[] blocks, int base, int count, int left, int right) {
        int[] floor = skyline.floor;
        for (int i = base; i < base + count; i++) {
            int k = blocks[i];
            int begin = 0;
            for (int c = from[k]; c < until[k]; c++) {
                begin = Math.max(begin, floor[c]);
            }
            start[k] = begin;
        }
        if (!propagate(blocks, base, count, left, right) || !stacks(blocks, base, count, left, right)) {
            return false;
        }
        // A settled column becomes a wall of boundless height.
        System.arraycopy(lowest, left, floor, left, right - left);
        return true;
    }

    /** Raises starts until they hold still, or nearly; false when the blocks cannot all fit. */
    private boolean propagate(int[] blocks, int base, int count, int left, int right) {
        int raises = 0;
        while (survey(blocks, base, count, left, right)) {
            if (raises == RAISES || !raiseStarts(blocks, base, count)) {
                return true;
            }
            raises++;
        }
        return false;
    }

    /** Notes of each column where its blocks can begin and end at the earliest; false when they cannot all fit. */
    private boolean survey(int[] blocks, int base, int count, int left, int right) {
        Arrays.fill(lowest, left, right, NOTHING);
        Arrays.fill(choices, left, right, 0);
        Arrays.fill(spans, left, right, 0);
        Arrays.fill(firstEnd, left, right, NOTHING);
        Arrays.fill(secondEnd, left, right, NOTHING);
        for (int i = base; i < base + count; i++) {
            int k = blocks[i];
            int end = until[k];
            int begin = start[k];
            int above = begin + size[k];
            if (above > ceiling) {
                return false;
            }
            spans[from[k]]++;
            spans[end - 1]--;
            for (int c = from[k]; c < end; c++) {
                if (begin < lowest[c]) {
                    lowest[c] = begin;
                    choices[c] = 1;
                } else if (begin == lowest[c]) {
                    choices[c]++;
                }
                if (above < firstEnd[c]) {
                    secondEnd[c] = firstEnd[c];
                    firstEnd[c] = above;
                } else if (above < secondEnd[c]) {
                    secondEnd[c] = above;
                }
            }
        }
        int[] open = skyline.open;
        for (int c = left; c < right; c++) {
            if (lowest[c] != NOTHING && lowest[c] + open[c] > ceiling) {
                return false;
            }
        }
        return true;
    }

    /** A block that begins too high to be the lowest of a column lies above another one there (not-first, of scheduling). */
    private boolean raiseStarts(int[] blocks, int base, int count) {
        boolean raised = false;
        int[] open = skyline.open;
        for (int i = base; i < base + count; i++) {
            int k = blocks[i];
            int begin = start[k];
            int above = begin + size[k];
            int least = begin;
            for (int c = from[k]; c < until[k]; c++) {
                if (begin + open[c] > ceiling) {
                    least = Math.max(least, firstEnd[c] == above ? secondEnd[c] : firstEnd[c]);
                }
            }
            raised |= least > begin;
            start[k] = least;
        }
        return raised;
    }

    /** Whether each column holds its blocks when they are stacked in the order in which they can begin. */
    private boolean stacks(int[] blocks, int base, int count, int left, int right) {
        for (int i = base + 1; i < base + count; i++) {
            int k = blocks[i];
            int at = i;
            for (; at > base && start[blocks[at - 1]] > start[k]; at--) {
                blocks[at] = blocks[at - 1];
            }
            blocks[at] = k;
        }
        Arrays.fill(firstEnd, left, right, 0);
        for (int i = base; i < base + count; i++) {
            int k = blocks[i];
            for (int c = from[k]; c < until[k]; c++) {
                firstEnd[c] = Math.max(firstEnd[c], start[k]) + size[k];
                if (firstEnd[c] > ceiling) {
                    return false;
                }
            }
        }
        return true;
    }

    /** End of the first part: the first column after which no open block goes on, settled columns to its right included. */
    int partEnd(int left, int right) {
        int c = left;
        while (c < right && lowest[c] == NOTHING) {
            c++;
        }
        int across = 0;
        do {
            across += spans[c++];
        } while (across > 0);
        while (c < right && lowest[c] == NOTHING) {
            c++;
        }
        return c;
    }

    /** The lowest height above its floor at which a block of this column could come to rest; NOTHING when none does. */
    int nextRest(int column, int[] blocks, int base, int count, int left, int right, int smallest) {
        int ground = skyline.floor[column];
        int least = ground + smallest;
        if (least + skyline.open[column] > ceiling) {
            return NOTHING;
        }
        // What a block of this column could rest on ends, in each column, no lower than this.
        Arrays.fill(firstEnd, left, right, NOTHING);
        for (int i = base; i < base + count; i++) {
            int k = blocks[i];
            if (from[k] > column || until[k] <= column) {
                for (int c = from[k]; c < until[k]; c++) {
                    firstEnd[c] = Math.min(firstEnd[c], start[k] + size[k]);
                }
            }
        }
        int rest = NOTHING;
        for (int i = base; i < base + count && rest > least; i++) {
            int k = blocks[i];
            if (from[k] > column || until[k] <= column) {
                continue;
            }
            if (start[k] > ground) {
                rest = Math.min(rest, start[k]);
                continue;
            }
            for (int c = from[k]; c < until[k]; c++) {
                rest = Math.min(rest, firstEnd[c]);
            }
        }
        return rest;
    }
}
