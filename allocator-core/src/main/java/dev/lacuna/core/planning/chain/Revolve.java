package dev.lacuna.core.planning.chain;

import dev.lacuna.core.base.Patience;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Binomial checkpointing: fewest recomputed stages for a number of kept states when all stages are alike. Source:
 * Griewank and Walther, algorithm 799 (revolve); with the treeverse splits of Griewank 1992.
 */
public final class Revolve implements ChainPlanner {
    /** Nobody runs a schedule that repeats more than that, and its steps would fill the memory. */
    private static final long MOST_EXTRA = 2_000_000;

    @Override
    public String id() {
        return "revolve";
    }

    @Override
    public Optional<ChainPlan> plan(ChainProfile chain, long budgetBytes, Patience patience) {
        int length = chain.length();
        return IntStream.rangeClosed(1, length)
                .filter(kept -> fewestExtraForwards(length, kept) <= MOST_EXTRA)
                .takeWhile(kept -> !patience.isOver())
                .mapToObj(kept -> ChainPlan.of(chain, schedule(chain.length(), kept)))
                .filter(plan -> plan.peakBytes() <= budgetBytes)
                .min(Comparator.comparingDouble(ChainPlan::timeMs).thenComparingLong(ChainPlan::peakBytes));
    }

    /**
     * The schedule for a chain with room for {@code kept} states, the input among them.
     *
     * @param length stages of the chain, at least 1
     * @param kept states kept at once, at least 1
     */
    public static List<ChainStep> schedule(int length, int kept) {
        List<ChainStep> steps = new ArrayList<>();
        reverse(0, length, kept, steps);
        return List.copyOf(steps);
    }

    /**
     * Fewest forward passes of stages beyond the one that saves for the backward pass, for a chain of this length.
     *
     * @return r·n − C(s + r, s + 1), where r is the least number with n ≤ C(s + r, s)
     */
    public static long fewestExtraForwards(int length, int kept) {
        long repetitions = 0;
        long reach = 1;
        long below = 0;
        while (reach < length) {
            repetitions++;
            below = below + reach;
            reach = Math.multiplyExact(reach, kept + repetitions) / repetitions;
        }
        return repetitions * length - below;
    }

    private static void reverse(int begin, int end, int kept, List<ChainStep> steps) {
        int length = end - begin;
        if (length == 1) {
            steps.add(ChainStep.saving(begin));
            steps.add(ChainStep.backward(begin));
            return;
        }
        if (kept == 1) {
            for (int last = end; last > begin; last--) {
                IntStream.range(begin, last - 1).forEach(stage -> steps.add(ChainStep.forward(stage)));
                steps.add(ChainStep.saving(last - 1));
                steps.add(ChainStep.backward(last - 1));
            }
            return;
        }
        int split = begin + bestSplit(length, kept);
        IntStream.range(begin, split).forEach(stage -> steps.add(ChainStep.forward(stage)));
        reverse(split, end, kept - 1, steps);
        reverse(begin, split, kept, steps);
    }

    /** The first of the best: what a split costs falls up to there and never again. */
    private static int bestSplit(int length, int kept) {
        int low = 1;
        int high = length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (extra(length, kept, middle + 1) < extra(length, kept, middle)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static long extra(int length, int kept, int split) {
        return split + fewestExtraForwards(length - split, kept - 1) + fewestExtraForwards(split, kept);
    }
}
