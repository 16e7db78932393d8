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
 * <p>Arrays of block numbers live on {@code stack}, one region per call: the blocks of a call are the {@code count} from {@code base} on, all
 * of which live in columns [left, right).
 */
final class SkylineTree {
    private static final int NOTHING = Skyline.NOTHING;

    private final int columns;
    private final int ceiling;
    private final int[] from;
    private final int[] until;
    private final int[] size;
    private final Skyline skyline;
    private final StartBounds bounds;
    private final StateHash hash;
    private final TranspositionTable failed = new TranspositionTable();
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
        this.ceiling = ceiling;
        columns = stretch.columns();
        from = stretch.from();
        until = stretch.until();
        size = stretch.size();
        skyline = new Skyline(stretch);
        bounds = new StartBounds(stretch, skyline, ceiling);
        hash = new StateHash(stretch, skyline, bounds);
        stack = new int[Math.max(1024, 8 * size.length)];
    }

    /** Nodes over all runs. */
    long nodes() {
        return nodes;
    }

    /** Offset of row k in units, after a run that succeeded. */
    int offset(int k) {
        return skyline.offset(k);
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
        skyline.clear();
        for (int k = 0; k < size.length; k++) {
            stack[k] = k;
        }
        if (solve(0, size.length, 0, columns, 0)) {
            return ExactSolver.Verdict.FITS;
        }
        return cutShort ? ExactSolver.Verdict.UNDECIDED : ExactSolver.Verdict.IMPOSSIBLE;
    }

    /** Places these blocks. */
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
        if (!bounds.raiseFloors(stack, base, count, left, right)) {
            return false;
        }
        int partEnd = bounds.partEnd(left, right);
        return partEnd == right
                ? branch(base, count, left, right, depth, base + count)
                : solveParts(base, count, left, right, depth);
    }

    /** Solves independent parts one after another, the one with the fewest blocks first. */
    private boolean solveParts(int base, int count, int left, int right, int depth) {
        List<int[]> parts = new ArrayList<>();
        int free = base + count;
        for (int begin = left; begin < right; ) {
            int end = bounds.partEnd(begin, right);
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
        int[] before = skyline.save(depth, left, right);
        for (int[] part : parts) {
            ensureRoom(free + 4 * part[1]);
            if (!branch(part[0], part[1], part[2], part[3], depth + 1, free)) {
                skyline.restore(before, left, right);
                return false;
            }
        }
        return true;
    }

    /** Decides one column of one valley; floors and starts are up to date. The stack is free from {@code free} on. */
    private boolean branch(int base, int count, int left, int right, int depth, int free) {
        long state = hash.of(stack, base, count, left, right);
        if (failed.contains(state)) {
            return false;
        }
        int smallest = NOTHING;
        for (int i = base; i < base + count; i++) {
            smallest = Math.min(smallest, size[stack[i]]);
        }
        int column = choose(left, right, smallest);
        int ground = skyline.floor[column];
        int wasted = bounds.nextRest(column, stack, base, count, left, right, smallest);
        int candidates = candidates(column, base, count, free);
        int[] before = skyline.save(depth, left, right);
        int rest = free + candidates;
        ensureRoom(rest + 4 * count);
        for (int i = free; i < rest; i++) {
            skyline.place(stack[i], ground);
            copyBut(stack[i], base, count, rest);
            if (solve(rest, count - 1, left, right, depth + 1)) {
                return true;
            }
            skyline.restore(before, left, right);
            if (cutShort) {
                return false;
            }
        }
        if (wasted != NOTHING && wasted + skyline.open[column] <= ceiling) {
            skyline.waste(column, wasted);
            System.arraycopy(stack, base, stack, rest, count);
            if (solve(rest, count, left, right, depth + 1)) {
                return true;
            }
            skyline.restore(before, left, right);
        }
        if (!cutShort) {
            failed.add(state);
        }
        return false;
    }

    /** The column to decide next: of all valleys, the one that the rule ranks first. */
    private int choose(int left, int right, int smallest) {
        int[] floor = skyline.floor;
        int best = -1;
        double bestRank = Double.POSITIVE_INFINITY;
        for (int c = left; c < right; ) {
            int end = c;
            while (end < right && floor[end] == floor[c]) {
                end++;
            }
            boolean valley = (c == left || floor[c - 1] > floor[c]) && (end == right || floor[end] > floor[c]);
            for (; c < end; c++) {
                if (valley && !bounds.settled(c)) {
                    int slack = ceiling - floor[c] - skyline.open[c];
                    double rank = rule.rank(bounds.choices(c) + (slack >= smallest ? 1 : 0), floor[c], slack);
                    if (rank < bestRank) {
                        bestRank = rank;
                        best = c;
                    }
                }
            }
        }
        return best;
    }

    /** Blocks that can lie on the floor of this column, in the order to try, written at {@code free}; returns how many. */
    private int candidates(int column, int base, int count, int free) {
        int[] start = bounds.start;
        int ground = skyline.floor[column];
        int found = 0;
        for (int i = base; i < base + count; i++) {
            int k = stack[i];
            boolean fits = from[k] <= column && until[k] > column && start[k] == ground;
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
        return size[k] > skyline.sizeOfSameLifetimeBelow(k, bounds.start[k]);
    }

    private void copyBut(int k, int base, int count, int to) {
        int at = to;
        for (int i = base; i < base + count; i++) {
            if (stack[i] != k) {
                stack[at++] = stack[i];
            }
        }
    }

    private void ensureRoom(int length) {
        if (length > stack.length) {
            stack = Arrays.copyOf(stack, 2 * length);
        }
    }
}
