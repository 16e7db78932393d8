package dev.lacuna.core.allocator.block;

import static dev.lacuna.core.allocator.block.BlockTable.NONE;

import java.util.Arrays;

/**
 * The free blocks of one pool, per stream in order of (size, offset). Sizes fall into bins, 16 to each power of two; a
 * bitmap knows which bins hold blocks, and each bin is a treap over the rows of a {@link BlockTable}: what is looked for
 * mostly lies in a tree of a few blocks, and never more than O(log n) steps away.
 *
 * <p>Priorities are a hash of the row, so equal command lists build equal trees.
 */
public final class FreeBlocks {
    private final BlockTable blocks;
    private final StreamNumbers streams = new StreamNumbers();
    private SizeBins[] binsByStream = new SizeBins[1];
    private int count;

    // Links of the treap node of each row; a node is in one tree at most, so all bins share them.
    private int[] lefts = new int[0];
    private int[] rights = new int[0];

    public FreeBlocks(BlockTable blocks) {
        this.blocks = blocks;
    }

    /** Number of free blocks. */
    public int count() {
        return count;
    }

    /** The first block of this stream in order that has at least this size, or NONE. */
    public int firstAtLeast(int stream, long size) {
        SizeBins bins = bins(stream);
        int bin = SizeBins.binOf(size);
        int found = NONE;
        for (int at = bins.root(bin); at != NONE; ) {
            if (blocks.size(at) < size) {
                at = rights[at];
            } else {
                found = at;
                at = lefts[at];
            }
        }
        return found != NONE ? found : lowest(bins.root(bins.nextUsed(bin + 1)));
    }

    /** The block of this stream that is last in order, or NONE. */
    public int last(int stream) {
        SizeBins bins = bins(stream);
        return highest(bins.root(bins.previousUsed(SizeBins.BINS - 1)));
    }

    /** The next block of the same stream in order, or NONE. */
    public int next(int b) {
        if (rights[b] != NONE) {
            return lowest(rights[b]);
        }
        SizeBins bins = bins(blocks.stream(b));
        int bin = SizeBins.binOf(blocks.size(b));
        int found = NONE;
        for (int at = bins.root(bin); at != b; ) {
            if (before(b, at)) {
                found = at;
                at = lefts[at];
            } else {
                at = rights[at];
            }
        }
        return found != NONE ? found : lowest(bins.root(bins.nextUsed(bin + 1)));
    }

    /** The block of the same stream before this one in order, or NONE. */
    public int previous(int b) {
        if (lefts[b] != NONE) {
            return highest(lefts[b]);
        }
        SizeBins bins = bins(blocks.stream(b));
        int bin = SizeBins.binOf(blocks.size(b));
        int found = NONE;
        for (int at = bins.root(bin); at != b; ) {
            if (before(b, at)) {
                at = lefts[at];
            } else {
                found = at;
                at = rights[at];
            }
        }
        return found != NONE ? found : highest(bins.root(bins.previousUsed(bin - 1)));
    }

    /** Takes a block that stops being free, or is about to change its size, out of the order. */
    public void remove(int b) {
        SizeBins bins = bins(blocks.stream(b));
        int bin = SizeBins.binOf(blocks.size(b));
        int parent = NONE;
        boolean left = false;
        for (int at = bins.root(bin); at != b; at = left ? lefts[at] : rights[at]) {
            parent = at;
            left = before(b, at);
        }
        int low = lefts[b];
        int high = rights[b];
        while (low != NONE && high != NONE) {
            if (higherPriority(low, high)) {
                attach(bins, bin, parent, left, low);
                parent = low;
                left = false;
                low = rights[low];
            } else {
                attach(bins, bin, parent, left, high);
                parent = high;
                left = true;
                high = lefts[high];
            }
        }
        attach(bins, bin, parent, left, low != NONE ? low : high);
        count--;
    }

    /** Puts a free block into the order. */
    public void add(int b) {
        ensureRow(b);
        SizeBins bins = bins(blocks.stream(b));
        int bin = SizeBins.binOf(blocks.size(b));
        int parent = NONE;
        boolean left = false;
        int at = bins.root(bin);
        while (at != NONE && !higherPriority(b, at)) {
            parent = at;
            left = before(b, at);
            at = left ? lefts[at] : rights[at];
        }
        attach(bins, bin, parent, left, b);
        split(at, b);
        count++;
    }

    /** Makes a block free, joins it with its free neighbours and returns the row of the whole. */
    public int release(int b) {
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

    /** The tree at {@code at} is split into what comes before b, its left child, and what comes after, its right one. */
    private void split(int at, int b) {
        lefts[b] = NONE;
        rights[b] = NONE;
        int low = b;
        int high = b;
        while (at != NONE) {
            if (before(at, b)) {
                hangLower(low, b, at);
                low = at;
                at = rights[at];
            } else {
                hangUpper(high, b, at);
                high = at;
                at = lefts[at];
            }
        }
        if (low != b) {
            rights[low] = NONE;
        }
        if (high != b) {
            lefts[high] = NONE;
        }
    }

    private void hangLower(int tail, int b, int at) {
        if (tail == b) {
            lefts[b] = at;
        } else {
            rights[tail] = at;
        }
    }

    private void hangUpper(int tail, int b, int at) {
        if (tail == b) {
            rights[b] = at;
        } else {
            lefts[tail] = at;
        }
    }

    private void attach(SizeBins bins, int bin, int parent, boolean left, int b) {
        if (parent == NONE) {
            bins.root(bin, b);
        } else if (left) {
            lefts[parent] = b;
        } else {
            rights[parent] = b;
        }
    }

    private int lowest(int root) {
        int at = root;
        while (at != NONE && lefts[at] != NONE) {
            at = lefts[at];
        }
        return at;
    }

    private int highest(int root) {
        int at = root;
        while (at != NONE && rights[at] != NONE) {
            at = rights[at];
        }
        return at;
    }

    private boolean before(int a, int b) {
        long sizeA = blocks.size(a);
        long sizeB = blocks.size(b);
        return sizeA != sizeB ? sizeA < sizeB : blocks.offset(a) < blocks.offset(b);
    }

    private static boolean higherPriority(int a, int b) {
        return a * 0x9E3779B9 > b * 0x9E3779B9;
    }

    private SizeBins bins(int stream) {
        int number = streams.number(stream);
        if (number >= binsByStream.length) {
            binsByStream = Arrays.copyOf(binsByStream, Math.max(number + 1, binsByStream.length * 2));
        }
        SizeBins bins = binsByStream[number];
        if (bins == null) {
            bins = new SizeBins();
            binsByStream[number] = bins;
        }
        return bins;
    }

    private void ensureRow(int b) {
        if (b >= lefts.length) {
            int length = Math.max(blocks.rows(), Math.max(64, lefts.length * 2));
            lefts = Arrays.copyOf(lefts, length);
            rights = Arrays.copyOf(rights, length);
        }
    }
}
