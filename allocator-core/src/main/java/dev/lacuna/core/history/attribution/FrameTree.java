package dev.lacuna.core.history.attribution;

import dev.lacuna.core.trace.snapshot.model.CallStacks;
import dev.lacuna.core.trace.snapshot.model.Frame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The shape that all stacks of a recording make together: stacks that begin alike share their nodes. Node 0 is the root,
 * where the empty stack ends; a parent's number is always below its children's. Made once per recording and direction.
 * Immutable.
 */
public final class FrameTree {
    /** From which end stacks are read. */
    public enum Direction {
        /** From the program's entry inwards: what does each part of the program hold? */
        TOP_DOWN,
        /** From the allocating line outwards: who asks this line for memory? */
        BOTTOM_UP
    }

    /** The node above all stacks. */
    public static final int ROOT = 0;

    private final Direction direction;
    private final int[] parents;
    private final int[] depths;
    private final Frame[] frames;
    private final int[] ends;

    private FrameTree(Direction direction, int[] parents, int[] depths, Frame[] frames, int[] ends) {
        this.direction = direction;
        this.parents = parents;
        this.depths = depths;
        this.frames = frames;
        this.ends = ends;
    }

    /** The tree of these stacks. */
    public static FrameTree of(CallStacks stacks, Direction direction) {
        Builder builder = new Builder();
        int[] ends = new int[Math.max(1, stacks.size())];
        for (int s = 0; s < stacks.size(); s++) {
            ends[s] = builder.end(outwards(stacks.stack(s), direction));
        }
        return builder.build(direction, ends);
    }

    /** From which end its stacks are read. */
    public Direction direction() {
        return direction;
    }

    /** Number of nodes, the root included. */
    public int size() {
        return parents.length;
    }

    /** The node above; the root's is −1. */
    public int parent(int node) {
        return parents[node];
    }

    /** 0 for the root. */
    public int depth(int node) {
        return depths[node];
    }

    /** The line of a node that is not the root. */
    public Frame frame(int node) {
        if (node == ROOT) {
            throw new IllegalArgumentException("the root has no frame");
        }
        return frames[node];
    }

    /** The node where a stack ends. */
    public int end(int stack) {
        return ends[stack];
    }

    /** The frames from the root down to this node. */
    public List<Frame> path(int node) {
        List<Frame> path = new ArrayList<>();
        for (int n = node; n != ROOT; n = parents[n]) {
            path.add(frames[n]);
        }
        Collections.reverse(path);
        return List.copyOf(path);
    }

    /** The node of this path from the root, or −1. A scan: for selections, not for loops. */
    public int find(List<Frame> path) {
        for (int n = 0; n < parents.length; n++) {
            if (depths[n] == path.size() && path(n).equals(path)) {
                return n;
            }
        }
        return -1;
    }

    /** Whether a node is another one or lies below it. */
    public boolean isWithin(int node, int above) {
        int n = node;
        while (depths[n] > depths[above]) {
            n = parents[n];
        }
        return n == above;
    }

    private static List<Frame> outwards(List<Frame> innermostFirst, Direction direction) {
        if (direction == Direction.BOTTOM_UP) {
            return innermostFirst;
        }
        List<Frame> reversed = new ArrayList<>(innermostFirst);
        Collections.reverse(reversed);
        return reversed;
    }

    /** Grows the tree stack by stack. */
    private static final class Builder {
        private final Map<Frame, Integer> frameNumbers = new HashMap<>();
        private final Map<Long, Integer> nodes = new HashMap<>();
        private int[] parents = {-1};
        private int[] depths = {0};
        private Frame[] frames = new Frame[1];
        private int size = 1;

        int end(List<Frame> path) {
            int node = ROOT;
            for (Frame frame : path) {
                int number = frameNumbers.computeIfAbsent(frame, f -> frameNumbers.size());
                long key = (long) node << Integer.SIZE | number;
                Integer below = nodes.get(key);
                if (below == null) {
                    below = add(node, frame);
                    nodes.put(key, below);
                }
                node = below;
            }
            return node;
        }

        public FrameTree build(Direction direction, int[] ends) {
            return new FrameTree(
                    direction,
                    Arrays.copyOf(parents, size),
                    Arrays.copyOf(depths, size),
                    Arrays.copyOf(frames, size),
                    ends);
        }

        private int add(int parent, Frame frame) {
            if (size == parents.length) {
                int longer = Math.max(64, size * 2);
                parents = Arrays.copyOf(parents, longer);
                depths = Arrays.copyOf(depths, longer);
                frames = Arrays.copyOf(frames, longer);
            }
            parents[size] = parent;
            depths[size] = depths[parent] + 1;
            frames[size] = frame;
            return size++;
        }
    }
}
