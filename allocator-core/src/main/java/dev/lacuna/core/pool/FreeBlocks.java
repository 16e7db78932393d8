package dev.lacuna.core.pool;

import static dev.lacuna.core.pool.BlockTable.NONE;

import java.util.Arrays;

/**
 * The free blocks of one pool in order of (stream, size, offset): a treap over the rows of a {@link BlockTable}, threaded
 * so that the next block in order is one step away. Priorities are a hash of the row, so equal command lists build equal trees.
 */
final class FreeBlocks {
    private final BlockTable blocks;
    private int root = NONE;
    private int count;
    private int[] lefts = new int[0];
    private int[] rights = new int[0];
    private int[] befores = new int[0];
    private int[] afters = new int[0];

    FreeBlocks(BlockTable blocks) {
        this.blocks = blocks;
    }

    /** Number of free blocks. */
    int count() {
        return count;
    }

    /** The first block in order that has this stream and at least this size, or NONE. */
    int bestFit(int stream, long size) {
        int b = firstAtLeast(stream, size);
        return b != NONE && blocks.stream(b) == stream ? b : NONE;
    }

    /** The first block in order not below (stream, size), or NONE. */
    int firstAtLeast(int stream, long size) {
        int found = NONE;
        for (int at = root; at != NONE; ) {
            if (below(at, stream, size)) {
                at = rights[at];
            } else {
                found = at;
                at = lefts[at];
            }
        }
        return found;
    }

    /** The next block in order, or NONE. */
    int next(int b) {
        return afters[b];
    }

    /** Takes a block that stops being free, or is about to change its size, out of the order. */
    void remove(int b) {
        int parent = NONE;
        boolean left = false;
        for (int at = root; at != b; at = left ? lefts[at] : rights[at]) {
            parent = at;
            left = before(b, at);
        }
        int low = lefts[b];
        int high = rights[b];
        while (low != NONE && high != NONE) {
            if (higherPriority(low, high)) {
                attach(parent, left, low);
                parent = low;
                left = false;
                low = rights[low];
            } else {
                attach(parent, left, high);
                parent = high;
                left = true;
                high = lefts[high];
            }
        }
        attach(parent, left, low != NONE ? low : high);
        thread(befores[b], afters[b]);
        count--;
    }

    /** Puts a free block into the order. */
    void add(int b) {
        ensureRow(b);
        int parent = NONE;
        boolean left = false;
        int previous = NONE;
        int following = NONE;
        int at = root;
        while (at != NONE && !higherPriority(b, at)) {
            parent = at;
            left = before(b, at);
            if (left) {
                following = at;
                at = lefts[at];
            } else {
                previous = at;
                at = rights[at];
            }
        }
        attach(parent, left, b);
        int low = b;
        int high = b;
        // The subtree below is split into what comes before b and what comes after it.
        while (at != NONE) {
            if (before(at, b)) {
                attachSplit(b, low, true, at);
                low = at;
                previous = at;
                at = rights[at];
            } else {
                attachSplit(b, high, false, at);
                high = at;
                following = at;
                at = lefts[at];
            }
        }
        attachSplit(b, low, true, NONE);
        attachSplit(b, high, false, NONE);
        thread(previous, b);
        thread(b, following);
        count++;
    }

    /** Makes a block free, joins it with its free neighbours and returns the row of the whole. */
    int release(int b) {
        blocks.markFree(b);
        int whole = b;
        int upper = blocks.upper(b);
        if (upper != NONE && blocks.isFree(upper)) {
            remove(upper);
            blocks.joinUpper(b);
        }
        int lower = blocks.lower(b);
        if (lower != NONE && blocks.isFree(lower)) {
            remove(lower);
            blocks.joinUpper(lower);
            whole = lower;
        }
        add(whole);
        return whole;
    }

    /** Hangs {@code at} on the growing lower (or upper) half of a subtree that is being split around b. */
    private void attachSplit(int b, int tail, boolean lowerHalf, int at) {
        boolean first = tail == b;
        if (lowerHalf == first) {
            lefts[tail] = at;
        } else {
            rights[tail] = at;
        }
    }

    private void attach(int parent, boolean left, int b) {
        if (parent == NONE) {
            root = b;
        } else if (left) {
            lefts[parent] = b;
        } else {
            rights[parent] = b;
        }
    }

    /** Row 0 is nobody's neighbour; writing its thread is harmless and saves a branch. */
    private void thread(int first, int second) {
        afters[first] = second;
        befores[second] = first;
    }

    private boolean before(int a, int b) {
        if (blocks.stream(a) != blocks.stream(b)) {
            return blocks.stream(a) < blocks.stream(b);
        }
        if (blocks.size(a) != blocks.size(b)) {
            return blocks.size(a) < blocks.size(b);
        }
        return blocks.offset(a) < blocks.offset(b);
    }

    private boolean below(int b, int stream, long size) {
        return blocks.stream(b) != stream ? blocks.stream(b) < stream : blocks.size(b) < size;
    }

    private static boolean higherPriority(int a, int b) {
        return a * 0x9E3779B9 > b * 0x9E3779B9;
    }

    private void ensureRow(int b) {
        if (b >= lefts.length) {
            int length = Math.max(blocks.rows(), Math.max(64, lefts.length * 2));
            lefts = Arrays.copyOf(lefts, length);
            rights = Arrays.copyOf(rights, length);
            befores = Arrays.copyOf(befores, length);
            afters = Arrays.copyOf(afters, length);
        }
    }
}
