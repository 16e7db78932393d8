package dev.lacuna.core.allocator.packing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Depth-first search for a placement under a ceiling. The state is a skyline: in each column (a clique) everything below
 * {@code floor} is settled, {@code open} units are still to be placed, so floor + open ≤ ceiling must hold. A valley is a run of equal
 * floors between higher ones. In a column of a valley, either some block that fits into the valley lies on its floor, or the floor is wasted
 * up to the next height at which a block could come to rest: that is the branching, and the columns with the fewest choices come first.
 *
 * <p>Only placements in which no block could be moved down need be looked at, so every block rests on the ground or on another.
 * Floors are raised to where the lowest open block can begin. Columns that no open block spans cut the problem into parts that are
 * solved apart. States that were seen to fail are remembered across restarts.
 *
 * <p>Arrays of block numbers live on {@code stack}, one region per call.
 */
final class SkylineTree {
    private static final int NOTHING = Integer.MAX_VALUE;
    private static final int REMEMBERED = 1 << 20;
    /** How often starts are raised at a node; further passes seldom raise more. */
    private static final int RAISES = 3;

    private final int columns;
    private final int ceiling;
    private final int[] from;
    private final int[] until;
    private final int[] size;
    private final int[] offset;
    private final long[] mark;
    private final int[] floor;
    private final int[] open;
    private final int[] top;
    private final int[] start;
    private final int[] choices;
    private final int[] lowest;
    private final int[] spans;
    private final int[] firstEnd;
    private final int[] secondEnd;
    private final long[] failed = new long[REMEMBERED];
    private final List<int[]> saved = new ArrayList<>();
    private int[] stack;

    private double[] priority = {};
    private ValleyRule rule = ValleyRule.FEWEST_THEN_LOWEST;
    private long nodes;
    private long nodeLimit;
    private long deadlineNs;
    private boolean cutShort;

    /**
     * @param stretch what to place
     * @param ceiling in the units of its sizes
     */
    SkylineTree(Stretch stretch, int ceiling) {
        columns = stretch.columns();
        this.ceiling = ceiling;
        from = stretch.from();
        until = stretch.until();
        size = stretch.size();
        int n = size.length;
        offset = new int[n];
        start = new int[n];
        mark = marks(n);
        floor = new int[columns];
        open = new int[columns];
        top = new int[columns];
        choices = new int[columns];
        lowest = new int[columns];
        spans = new int[columns];
        firstEnd = new int[columns];
        secondEnd = new int[columns];
        stack = new int[Math.max(1024, 8 * n)];
    }

    /** Nodes over all runs. */
    long nodes() {
        return nodes;
    }

    /** Offset of row k in units, after a run that succeeded. */
    int offset(int k) {
        return offset[k];
    }

    /**
     * One run from the empty skyline: blocks of higher priority are tried first.
     *
     * @param deadlineNs by {@link System#nanoTime}
     */
    ExactSolver.Verdict run(double[] blockPriority, ValleyRule valleyRule, long budget, long deadlineNs) {
        priority = blockPriority;
        rule = valleyRule;
        nodeLimit = nodes + budget;
        this.deadlineNs = deadlineNs;
        cutShort = false;
        Arrays.fill(floor, 0);
        Arrays.fill(open, 0);
        Arrays.fill(top, -1);
        for (int k = 0; k < size.length; k++) {
            stack[k] = k;
            for (int c = from[k]; c < until[k]; c++) {
                open[c] += size[k];
            }
        }
        if (solve(0, size.length, 0, columns, 0)) {
            return ExactSolver.Verdict.FITS;
        }
        return cutShort ? ExactSolver.Verdict.UNDECIDED : ExactSolver.Verdict.IMPOSSIBLE;
    }

    /** Places the {@code count} blocks at {@code base}, all of which live in columns [left, right). */
    private boolean solve(int base, int count, int left, int right, int depth) {
        if (count == 0) {
            return true;
        }
        nodes++;
        if (nodes > nodeLimit || (nodes & 1023) == 0 && System.nanoTime() - deadlineNs > 0) {
            cutShort = true;
            return false;
        }
        ensureRoom(base + 4 * count);
        if (!raiseFloors(base, count, left, right)) {
            return false;
        }
        int partEnd = partEnd(left, right);
        return partEnd == right
                ? branch(base, count, left, right, depth, base + count)
                : solveParts(base, count, left, right, depth);
    }

    /** Finds where each open block could begin and lifts the floors to it; false when a column overflows. */
    private boolean raiseFloors(int base, int count, int left, int right) {
        for (int i = base; i < base + count; i++) {
            int k = stack[i];
            int begin = 0;
            for (int c = from[k]; c < until[k]; c++) {
                begin = Math.max(begin, floor[c]);
            }
            start[k] = begin;
        }
        int pass = 0;
        do {
            if (!survey(base, count, left, right)) {
                return false;
            }
        } while (pass++ < RAISES && raiseStarts(base, count));
        if (pass > RAISES && !survey(base, count, left, right) || !stacks(base, count, left, right)) {
            return false;
        }
        for (int c = left; c < right; c++) {
            // A settled column becomes a wall of boundless height.
            floor[c] = lowest[c];
        }
        return true;
    }

    /** Notes of each column where its blocks can begin and end at the earliest; false when they cannot all fit. */
    private boolean survey(int base, int count, int left, int right) {
        Arrays.fill(lowest, left, right, NOTHING);
        Arrays.fill(choices, left, right, 0);
        Arrays.fill(spans, left, right, 0);
        Arrays.fill(firstEnd, left, right, NOTHING);
        Arrays.fill(secondEnd, left, right, NOTHING);
        for (int i = base; i < base + count; i++) {
            int k = stack[i];
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
        for (int c = left; c < right; c++) {
            if (lowest[c] != NOTHING && lowest[c] + open[c] > ceiling) {
                return false;
            }
        }
        return true;
    }

    /** A block that begins too high to be the lowest of a column lies above another one there (not-first, of scheduling). */
    private boolean raiseStarts(int base, int count) {
        boolean raised = false;
        for (int i = base; i < base + count; i++) {
            int k = stack[i];
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
    private boolean stacks(int base, int count, int left, int right) {
        for (int i = base + 1; i < base + count; i++) {
            int k = stack[i];
            int at = i;
            for (; at > base && start[stack[at - 1]] > start[k]; at--) {
                stack[at] = stack[at - 1];
            }
            stack[at] = k;
        }
        Arrays.fill(firstEnd, left, right, 0);
        for (int i = base; i < base + count; i++) {
            int k = stack[i];
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
    private int partEnd(int left, int right) {
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

    /** Solves independent parts one after another, the one with the fewest blocks first. */
    private boolean solveParts(int base, int count, int left, int right, int depth) {
        List<int[]> parts = new ArrayList<>();
        int free = base + count;
        for (int begin = left; begin < right; ) {
            int end = partEnd(begin, right);
            int at = free;
            for (int i = base; i < base + count; i++) {
                if (from[stack[i]] >= begin && from[stack[i]] < end) {
                    stack[free++] = stack[i];
                }
            }
            parts.add(new int[] {at, free - at, begin, end});
            begin = end;
        }
        parts.sort((a, b) -> Integer.compare(a[1], b[1]));
        int[] before = save(depth, left, right);
        for (int[] part : parts) {
            ensureRoom(free + 4 * part[1]);
            if (!branch(part[0], part[1], part[2], part[3], depth + 1, free)) {
                restore(before, left, right);
                return false;
            }
        }
        return true;
    }

    /** Decides one column of one valley; floors and starts are up to date. The stack is free from {@code free} on. */
    private boolean branch(int base, int count, int left, int right, int depth, int free) {
        long state = state(base, count, left, right);
        if (knownToFail(state)) {
            return false;
        }
        int smallest = NOTHING;
        for (int i = base; i < base + count; i++) {
            smallest = Math.min(smallest, size[stack[i]]);
        }
        int column = choose(left, right, smallest);
        int ground = floor[column];
        int wasted = nextRest(column, base, count, left, right, smallest);
        int candidates = candidates(column, base, count, free);
        int[] before = save(depth, left, right);
        int rest = free + candidates;
        ensureRoom(rest + 4 * count);
        for (int i = free; i < rest; i++) {
            place(stack[i], ground);
            copyBut(stack[i], base, count, rest);
            if (solve(rest, count - 1, left, right, depth + 1)) {
                return true;
            }
            restore(before, left, right);
            if (cutShort) {
                return false;
            }
        }
        if (wasted != NOTHING && wasted + open[column] <= ceiling) {
            floor[column] = wasted;
            top[column] = -1;
            System.arraycopy(stack, base, stack, rest, count);
            if (solve(rest, count, left, right, depth + 1)) {
                return true;
            }
            restore(before, left, right);
        }
        if (!cutShort) {
            remember(state);
        }
        return false;
    }

    private int choose(int left, int right, int smallest) {
        int best = -1;
        double bestRank = Double.POSITIVE_INFINITY;
        for (int c = left; c < right; ) {
            int end = c;
            while (end < right && floor[end] == floor[c]) {
                end++;
            }
            boolean valley = (c == left || floor[c - 1] > floor[c]) && (end == right || floor[end] > floor[c]);
            for (; c < end; c++) {
                if (valley && lowest[c] != NOTHING) {
                    int slack = ceiling - floor[c] - open[c];
                    double rank = rule.rank(choices[c] + (slack >= smallest ? 1 : 0), floor[c], slack);
                    if (rank < bestRank) {
                        bestRank = rank;
                        best = c;
                    }
                }
            }
        }
        return best;
    }

    /** The lowest height above its floor at which a block of this column could come to rest; NOTHING when none does. */
    private int nextRest(int column, int base, int count, int left, int right, int smallest) {
        int least = floor[column] + smallest;
        if (least + open[column] > ceiling) {
            return NOTHING;
        }
        // What a block of this column could rest on ends, in each column, no lower than this.
        Arrays.fill(firstEnd, left, right, NOTHING);
        for (int i = base; i < base + count; i++) {
            int k = stack[i];
            if (from[k] > column || until[k] <= column) {
                for (int c = from[k]; c < until[k]; c++) {
                    firstEnd[c] = Math.min(firstEnd[c], start[k] + size[k]);
                }
            }
        }
        int rest = NOTHING;
        for (int i = base; i < base + count && rest > least; i++) {
            int k = stack[i];
            if (from[k] > column || until[k] <= column) {
                continue;
            }
            if (start[k] > floor[column]) {
                rest = Math.min(rest, start[k]);
                continue;
            }
            for (int c = from[k]; c < until[k]; c++) {
                rest = Math.min(rest, firstEnd[c]);
            }
        }
        return rest;
    }

    /** Blocks that can lie on the floor of this column, in the order to try, written at {@code free}; returns how many. */
    private int candidates(int column, int base, int count, int free) {
        int found = 0;
        for (int i = base; i < base + count; i++) {
            int k = stack[i];
            boolean fits = from[k] <= column && until[k] > column && start[k] == floor[column];
            if (!fits || needless(k, free, found)) {
                continue;
            }
            int at = free + found++;
            while (at > free && priority[stack[at - 1]] < priority[k]) {
                stack[at] = stack[at - 1];
                at--;
            }
            stack[at] = k;
        }
        return found;
    }

    /** A twin is tried already, or the block would lie right on a smaller one of the same lifetime: the two can be swapped. */
    private boolean needless(int k, int free, int found) {
        for (int i = free; i < free + found; i++) {
            int twin = stack[i];
            if (from[twin] == from[k] && until[twin] == until[k] && size[twin] == size[k]) {
                return true;
            }
        }
        return size[k] > sizeOfSameLifetimeBelow(k);
    }

    private int sizeOfSameLifetimeBelow(int k) {
        int below = top[from[k]];
        boolean same = below >= 0
                && from[below] == from[k]
                && until[below] == until[k]
                && offset[below] + size[below] == start[k];
        return same ? size[below] : NOTHING;
    }

    private void place(int k, int at) {
        offset[k] = at;
        for (int c = from[k]; c < until[k]; c++) {
            floor[c] = at + size[k];
            open[c] -= size[k];
            top[c] = k;
        }
    }

    private void copyBut(int k, int base, int count, int to) {
        int at = to;
        for (int i = base; i < base + count; i++) {
            if (stack[i] != k) {
                stack[at++] = stack[i];
            }
        }
    }

    // ---------------------------------------------------------------- states seen to fail

    /** Names the state: floors and open blocks, and what the swap rule looks at. Never 0. */
    private long state(int base, int count, int left, int right) {
        long floors = 0;
        for (int c = left; c < right; c++) {
            floors += lowest[c] == NOTHING ? 0 : scramble(floor[c] * 1_000_003L + c);
        }
        long blocks = 0;
        for (int i = base; i < base + count; i++) {
            int k = stack[i];
            blocks ^= mark[k];
            int below = sizeOfSameLifetimeBelow(k);
            if (below != NOTHING) {
                blocks ^= scramble(mark[k] + below);
            }
        }
        long state = scramble(floors ^ blocks);
        return state == 0 ? 1 : state;
    }

    private boolean knownToFail(long state) {
        int slot = (int) state & REMEMBERED - 1;
        return failed[slot] == state || failed[slot ^ 1] == state;
    }

    private void remember(long state) {
        int slot = (int) state & REMEMBERED - 1;
        failed[failed[slot] == 0 ? slot : slot ^ 1] = state;
    }

    /** Twins are told apart only by how many of them there are: any one of them open is the same state. */
    private long[] marks(int n) {
        long[] marks = new long[n];
        for (int k = 0; k < n; k++) {
            int copy = 0;
            for (int j = 0; j < k; j++) {
                copy += from[j] == from[k] && until[j] == until[k] && size[j] == size[k] ? 1 : 0;
            }
            long kind = scramble(scramble(((long) from[k] << 32) + until[k]) + size[k]);
            marks[k] = scramble(kind + copy);
        }
        return marks;
    }

    /** SplitMix64's finaliser (Steele, Lea, Flood 2014). */
    private static long scramble(long z) {
        long a = (z + 0x9e3779b97f4a7c15L ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        long b = (a ^ a >>> 27) * 0x94d049bb133111ebL;
        return b ^ b >>> 31;
    }

    // ---------------------------------------------------------------- room

    private int[] save(int depth, int left, int right) {
        while (saved.size() <= depth) {
            saved.add(new int[3 * columns]);
        }
        int[] into = saved.get(depth);
        System.arraycopy(floor, left, into, left, right - left);
        System.arraycopy(open, left, into, columns + left, right - left);
        System.arraycopy(top, left, into, 2 * columns + left, right - left);
        return into;
    }

    private void restore(int[] before, int left, int right) {
        System.arraycopy(before, left, floor, left, right - left);
        System.arraycopy(before, columns + left, open, left, right - left);
        System.arraycopy(before, 2 * columns + left, top, left, right - left);
    }

    private void ensureRoom(int length) {
        if (length > stack.length) {
            stack = Arrays.copyOf(stack, 2 * length);
        }
    }
}
