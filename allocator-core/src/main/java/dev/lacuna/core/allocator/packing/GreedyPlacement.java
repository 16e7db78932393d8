package dev.lacuna.core.allocator.packing;

/**
 * Places blocks one after another, each into a gap between those placed before that live at the same time. Placed blocks are kept
 * in order of their offsets; a block costs one pass over them.
 */
final class GreedyPlacement {
    static final int ALL = -1;

    private final Cliques cliques;
    private final long[] size;
    private final long[] offset;
    private final int[] placed;
    private int count;
    private long steps;

    GreedyPlacement(Cliques cliques, long[] size) {
        this.cliques = cliques;
        this.size = size;
        offset = new long[size.length];
        placed = new int[size.length];
    }

    /** Pairs of blocks looked at, over all runs: what a run costs. */
    long steps() {
        return steps;
    }

    /** Offset of row k after a run. */
    long offset(int k) {
        return offset[k];
    }

    /** The end of the highest block after a run. */
    long height() {
        long top = 0;
        for (int k = 0; k < size.length; k++) {
            top = Math.max(top, offset[k] + size[k]);
        }
        return top;
    }

    /**
     * Places rows in this order.
     *
     * @param bestFit into the smallest gap that is large enough, else into the lowest
     * @param ceiling where to stop
     * @return the position in {@code order} of the block that would reach above the ceiling, or ALL when none does
     */
    int run(int[] order, boolean bestFit, long ceiling) {
        count = 0;
        for (int position = 0; position < order.length; position++) {
            int k = order[position];
            long at = bestFit ? smallestGap(k) : lowestGap(k);
            if (at + size[k] > ceiling) {
                return position;
            }
            offset[k] = at;
            insert(k);
        }
        return ALL;
    }

    private long lowestGap(int k) {
        int from = cliques.from[k];
        int until = cliques.until[k];
        long end = 0;
        for (int i = 0; i < count; i++) {
            int other = placed[i];
            if (cliques.from[other] < until && cliques.until[other] > from) {
                if (offset[other] - end >= size[k]) {
                    steps += i;
                    return end;
                }
                end = Math.max(end, offset[other] + size[other]);
            }
        }
        steps += count;
        return end;
    }

    private long smallestGap(int k) {
        int from = cliques.from[k];
        int until = cliques.until[k];
        long end = 0;
        long best = -1;
        long bestGap = Long.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            int other = placed[i];
            if (cliques.from[other] < until && cliques.until[other] > from) {
                long gap = offset[other] - end;
                if (gap >= size[k] && gap < bestGap) {
                    bestGap = gap;
                    best = end;
                }
                end = Math.max(end, offset[other] + size[other]);
            }
        }
        steps += count;
        return best >= 0 ? best : end;
    }

    private void insert(int k) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (offset[placed[middle]] < offset[k]) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        System.arraycopy(placed, low, placed, low + 1, count - low);
        placed[low] = k;
        count++;
    }
}
