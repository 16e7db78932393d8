package dev.lacuna.ui.blockmap;

/** What lies in one column of pixels, by bytes, and how its height is divided. */
final class ColumnMix {
    /** A block that is not among those that are highlighted. */
    static final int DIMMED = 61;

    /** The hole among the slots; block slots lie below, one for each tone and one for each pending tone. */
    static final int HOLE = 62;

    static final int UNKNOWN = 63;

    /** Receives the parts of a column from the top. */
    @FunctionalInterface
    interface Part {
        void at(int slot, int from, int to);
    }

    private final double[] weights = new double[64];
    private final int[] heights = new int[64];
    private long present;
    private boolean crumbs;

    static int slot(PieceKind kind, int tone) {
        return switch (kind) {
            case BLOCK -> 2 * tone;
            case PENDING -> 2 * tone + 1;
            case HOLE -> HOLE;
            case UNKNOWN -> UNKNOWN;
        };
    }

    static int tone(int slot) {
        return slot >> 1;
    }

    static boolean pending(int slot) {
        return (slot & 1) == 1;
    }

    boolean isEmpty() {
        return present == 0;
    }

    void clear() {
        for (long left = present; left != 0; left &= left - 1) {
            weights[Long.numberOfTrailingZeros(left)] = 0;
        }
        present = 0;
        crumbs = false;
    }

    /** @param wide its piece is wide enough to be seen beside this column too */
    void add(int slot, double weight, boolean wide) {
        weights[slot] += weight;
        present |= 1L << slot;
        crumbs |= !wide;
    }

    /** Divides so many pixels. Where all pieces are seen beside this column too, the largest share takes it all. */
    void divide(int height, Part part) {
        int count = Long.bitCount(present);
        if (count == 1 || !crumbs) {
            part.at(heaviest(), 0, height);
            return;
        }
        share(height);
        int at = 0;
        for (long left = present; left != 0; left &= left - 1) {
            int slot = Long.numberOfTrailingZeros(left);
            if (heights[slot] > 0) {
                part.at(slot, at, at + heights[slot]);
                at += heights[slot];
            }
        }
    }

    /** One pixel for each, from the highest slot down (unknown, holes, then blocks); the rest by weight. */
    private void share(int height) {
        double total = 0;
        int left = height;
        for (int slot = 63; slot >= 0; slot--) {
            boolean here = (present >>> slot & 1) == 1;
            heights[slot] = here && left > 0 ? 1 : 0;
            left -= heights[slot];
            total += weights[slot];
        }
        for (int slot = 0; slot < 64; slot++) {
            if (heights[slot] > 0) {
                int more = (int) Math.round(height * weights[slot] / total) - 1;
                more = Math.max(0, Math.min(left, more));
                heights[slot] += more;
                left -= more;
            }
        }
        heights[heaviest()] += heights[heaviest()] > 0 ? left : 0;
    }

    private int heaviest() {
        int best = Long.numberOfTrailingZeros(present);
        for (long left = present; left != 0; left &= left - 1) {
            int slot = Long.numberOfTrailingZeros(left);
            if (weights[slot] > weights[best]) {
                best = slot;
            }
        }
        return best;
    }
}
