package dev.lacuna.core.allocator.packing;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The best of several greedy orders, then promotion: whichever block first reaches above what was had before is moved half way to
 * the front of the order, and all is placed anew. Stops at the lower bound or when its budget of steps is spent. Deterministic.
 */
final class HeuristicPlanner {
    private final Cliques cliques;
    private final long[] size;
    private final long bound;
    private final long budget;
    private final GreedyPlacement greedy;
    private long[] best;
    private long bestHeight;
    private int[] bestOrder = {};
    private boolean bestFit;

    /**
     * @param size per row of the cliques, in bytes
     * @param bound no plan is lower than this
     * @param budget pairs of blocks that may be compared
     */
    HeuristicPlanner(Cliques cliques, long[] size, long bound, long budget) {
        this.cliques = cliques;
        this.size = size;
        this.bound = bound;
        this.budget = budget;
        greedy = new GreedyPlacement(cliques, size);
        best = new BirthOrderPlacement().run(cliques, size);
        for (int k = 0; k < size.length; k++) {
            bestHeight = Math.max(bestHeight, best[k] + size[k]);
        }
    }

    /** Offsets of the rows, in bytes. */
    long[] run() {
        // The last pass may overshoot by one pass over all pairs: without room for that, birth order has to do.
        long pass = (long) size.length * size.length / 2;
        if (pass > budget) {
            return best;
        }
        for (IntToDoubleFunction key : keys()) {
            int[] order = order(key);
            for (boolean fit : new boolean[] {false, true}) {
                if (bestHeight > bound && greedy.steps() < budget / 2) {
                    attempt(order, fit);
                }
            }
        }
        if (bestOrder.length > 0) {
            promote(bestOrder.clone());
        }
        return best;
    }

    private void promote(int[] order) {
        while (bestHeight > bound && greedy.steps() < budget) {
            int late = attempt(order, bestFit);
            if (late > 0) {
                int k = order[late];
                System.arraycopy(order, late / 2, order, late / 2 + 1, late - late / 2);
                order[late / 2] = k;
            } else if (late == 0) {
                return;
            }
        }
    }

    private int attempt(int[] order, boolean fit) {
        int late = greedy.run(order, fit, bestHeight - 1);
        if (late == GreedyPlacement.ALL) {
            bestHeight = greedy.height();
            best = IntStream.range(0, size.length).mapToLong(greedy::offset).toArray();
            bestOrder = order.clone();
            bestFit = fit;
        } else if (bestOrder.length == 0) {
            bestOrder = order.clone();
            bestFit = fit;
        }
        return late;
    }

    private IntToDoubleFunction[] keys() {
        double[] crowding = crowding();
        return new IntToDoubleFunction[] {
            k -> size[k],
            k -> (double) size[k] * length(k),
            this::length,
            k -> size[k] * Math.sqrt(length(k)),
            k -> crowding[k] * size[k],
            k -> crowding[k],
            k -> -cliques.from[k]
        };
    }

    private double length(int k) {
        return cliques.until[k] - cliques.from[k];
    }

    /** Bytes alive at the first of a block's moments: how contended its place is. */
    private double[] crowding() {
        double[] live = new double[cliques.count + 1];
        for (int k = 0; k < size.length; k++) {
            live[cliques.from[k]] += size[k];
            live[cliques.until[k]] -= size[k];
        }
        Arrays.parallelPrefix(live, Double::sum);
        return IntStream.range(0, size.length)
                .mapToDouble(k -> Math.max(live[cliques.from[k]], live[cliques.until[k] - 1]))
                .toArray();
    }

    private int[] order(IntToDoubleFunction key) {
        return IntStream.range(0, size.length)
                .boxed()
                .sorted(Comparator.<Integer>comparingDouble(k -> -key.applyAsDouble(k))
                        .thenComparingDouble(k -> -length(k))
                        .thenComparingInt(k -> k))
                .mapToInt(k -> k)
                .toArray();
    }
}
