package dev.lacuna.core.history.attribution;

import dev.lacuna.core.trace.snapshot.model.Frame;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where the boxes of a flame graph lie: one row per unbranched line of frames, the callers above the called, each as wide as
 * the bytes that it holds. What would be too narrow to see is put together at the right, so that widths always add up. Of
 * trees without negative bytes. Immutable.
 *
 * @param boxes row by row within each branch
 * @param rows number of rows
 */
public record FlameLayout(List<Box> boxes, int rows) {
    /** More rows are not laid out. */
    private static final int MOST_ROWS = 512;

    /**
     * One box.
     *
     * @param first first node of its line; {@link #OTHERS} for those put together
     * @param last last node of its line; for those put together, the node above
     * @param row 0 at the top
     * @param x left edge
     * @param width in the same unit
     * @param bytes what it holds
     * @param nodes 1, or how many were put together
     */
    public record Box(int first, int last, int row, double x, double width, long bytes, int nodes) {
        /** In the place of a node: several small ones. */
        public static final int OTHERS = -1;

        /** Whether it stands for several. */
        public boolean isOthers() {
            return first == OTHERS;
        }

        /** Whether a point lies in it. */
        public boolean contains(double atX, int atRow) {
            return row == atRow && atX >= x && atX < x + width;
        }
    }

    public FlameLayout {
        boxes = List.copyOf(boxes);
    }

    /**
     * The boxes of everything below a node.
     *
     * @param root the node that takes the whole width
     * @param width how wide that is
     * @param narrowest boxes below this are put together
     */
    public static FlameLayout of(StackTree tree, int root, double width, double narrowest) {
        Layer layer = new Layer(tree, width / Math.max(1, tree.bytes(root)), narrowest);
        if (tree.bytes(root) > 0) {
            layer.place(root, 0, 0);
        }
        return new FlameLayout(layer.boxes, layer.rows);
    }

    /** The line of a box that tells whose it is; of the root and of several together there is none. */
    public static Optional<Frame> telling(StackTree tree, Box box) {
        if (box.isOthers() || box.first() == FrameTree.ROOT) {
            return Optional.empty();
        }
        List<Frame> line = new ArrayList<>(tree.line(box.first(), box.last()));
        if (tree.shape().direction() == FrameTree.Direction.TOP_DOWN) {
            Collections.reverse(line);
        }
        return TellingFrame.of(line);
    }

    /** Which of so many hues the user's own lines have, always the same for the same name; libraries have none. */
    public static OptionalInt hue(Frame frame, int hues) {
        if (!TellingFrame.isPython(frame) || TellingFrame.isLibrary(frame)) {
            return OptionalInt.empty();
        }
        int mixed =
                frame.function().hashCode() * 0x9E3779B9; // Fibonacci hashing: names that differ in one letter part.
        return OptionalInt.of(Math.floorMod(mixed >>> 16, hues));
    }

    private static final class Layer {
        private final StackTree tree;
        private final double scale;
        private final double narrowest;
        private final List<Box> boxes = new ArrayList<>();
        private int rows;

        Layer(StackTree tree, double scale, double narrowest) {
            this.tree = tree;
            this.scale = scale;
            this.narrowest = narrowest;
        }

        void place(int first, int row, double x) {
            int last = first == FrameTree.ROOT ? first : tree.lineEnd(first);
            rows = Math.max(rows, row + 1);
            boxes.add(new Box(first, last, row, x, tree.bytes(first) * scale, tree.bytes(first), 1));
            if (row + 1 < MOST_ROWS) {
                placeBelow(last, row + 1, x);
            }
        }

        private void placeBelow(int parent, int row, double left) {
            double x = left;
            long others = 0;
            int count = 0;
            for (int child : tree.children(parent)) {
                double width = tree.bytes(child) * scale;
                if (width >= narrowest) {
                    place(child, row, x);
                    x += width;
                } else if (tree.bytes(child) > 0) {
                    others += tree.bytes(child);
                    count++;
                }
            }
            if (count > 0) {
                rows = Math.max(rows, row + 1);
                boxes.add(new Box(Box.OTHERS, parent, row, x, others * scale, others, count));
            }
        }
    }
}
