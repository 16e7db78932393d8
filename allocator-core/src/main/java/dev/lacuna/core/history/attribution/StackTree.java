package dev.lacuna.core.history.attribution;

import dev.lacuna.core.trace.snapshot.model.Frame;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A {@link FrameTree} with bytes: what each line and everything that it called hold. Differences may be negative. Adding up
 * touches every node once; children are sorted when they are asked for. Immutable.
 */
public final class StackTree {
    private final FrameTree shape;
    private final long[] bytes;
    private final int[] blocks;
    private final long[] own;
    private final int[] childStarts;
    private final int[] children;

    private StackTree(FrameTree shape, long[] bytes, int[] blocks, long[] own) {
        this.shape = shape;
        this.bytes = bytes;
        this.blocks = blocks;
        this.own = own;
        this.childStarts = new int[shape.size() + 1];
        this.children = new int[Math.max(0, shape.size() - 1)];
    }

    /** Adds up what the stacks hold. */
    public static StackTree of(FrameTree shape, StackBytes held) {
        long[] bytes = new long[shape.size()];
        int[] blocks = new int[shape.size()];
        boolean[] present = new boolean[shape.size()];
        for (int s = 0; s < held.stacks(); s++) {
            int end = shape.end(s);
            bytes[end] += held.bytes(s);
            blocks[end] += held.blocks(s);
            present[end] |= held.bytes(s) != 0 || held.blocks(s) != 0;
        }
        long[] own = bytes.clone();
        for (int n = shape.size() - 1; n > FrameTree.ROOT; n--) {
            int above = shape.parent(n);
            bytes[above] += bytes[n];
            blocks[above] += blocks[n];
            present[above] |= present[n];
        }
        StackTree tree = new StackTree(shape, bytes, blocks, own);
        tree.link(present);
        return tree;
    }

    /** The shape that it lies on. */
    public FrameTree shape() {
        return shape;
    }

    /** Bytes of a node and all below it. */
    public long bytes(int node) {
        return bytes[node];
    }

    /** Blocks of a node and all below it. */
    public int blocks(int node) {
        return blocks[node];
    }

    /** Bytes of the stacks that end at this very node. */
    public long ownBytes(int node) {
        return own[node];
    }

    /** Number of children that hold anything. */
    public int childCount(int node) {
        return childStarts[node + 1] - childStarts[node];
    }

    /** The children that hold anything, the largest (or the largest change) first. */
    public int[] children(int node) {
        return IntStream.range(childStarts[node], childStarts[node + 1])
                .map(i -> children[i])
                .boxed()
                .sorted(Comparator.<Integer>comparingLong(n -> -Math.abs(bytes[n]))
                        .thenComparing(Comparator.naturalOrder()))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /**
     * The last node of the unbranched line that begins here: until something ends or parts. Stacks are deep and mostly
     * unbranched; a line is what a person takes in as one.
     */
    public int lineEnd(int node) {
        int end = node;
        while (childCount(end) == 1 && own[end] == 0) {
            end = children[childStarts[end]];
        }
        return end;
    }

    /** The frames of a line, from its first node to its last. */
    public List<Frame> line(int first, int last) {
        return shape.path(last).subList(shape.depth(first) - 1, shape.depth(last));
    }

    /** Every node that holds anything, in rows of children: counted, then placed. */
    private void link(boolean[] present) {
        for (int n = 1; n < shape.size(); n++) {
            if (present[n]) {
                childStarts[shape.parent(n) + 1]++;
            }
        }
        for (int n = 0; n < shape.size(); n++) {
            childStarts[n + 1] += childStarts[n];
        }
        int[] next = Arrays.copyOf(childStarts, shape.size());
        for (int n = 1; n < shape.size(); n++) {
            if (present[n]) {
                children[next[shape.parent(n)]++] = n;
            }
        }
    }
}
