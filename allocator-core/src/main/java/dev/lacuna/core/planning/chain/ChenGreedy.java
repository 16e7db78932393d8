package dev.lacuna.core.planning.chain;

import dev.lacuna.core.base.Patience;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Segments that are closed as soon as what they would save exceeds a bound; the bound is searched. Source: Chen et al.,
 * arXiv 1604.06174, algorithm 3.
 */
public final class ChenGreedy implements ChainPlanner {
    /** Bounds tried: the paper searches a grid too; more than these change the segments little. */
    private static final int BOUNDS = 256;

    @Override
    public String id() {
        return "chen-greedy";
    }

    @Override
    public Optional<ChainPlan> plan(ChainProfile chain, long budgetBytes, Patience patience) {
        long all = chain.stages().stream().mapToLong(ChainStage::savedBytes).sum();
        TreeSet<Long> bounds = new TreeSet<>();
        for (int i = 1; i <= BOUNDS; i++) {
            bounds.add(Math.max(1, Math.round((double) all * i / BOUNDS)));
        }
        return bounds.stream()
                .map(bound -> begins(chain, bound))
                .distinct()
                .takeWhile(begins -> !patience.isOver())
                .map(begins -> ChainPlan.of(chain, Segments.schedule(chain.length(), begins)))
                .filter(plan -> plan.peakBytes() <= budgetBytes)
                .min(Comparator.comparingDouble(ChainPlan::timeMs).thenComparingLong(ChainPlan::peakBytes));
    }

    private static BitSet begins(ChainProfile chain, long bound) {
        BitSet begins = new BitSet();
        long saved = 0;
        for (int stage = 0; stage < chain.length(); stage++) {
            long more = chain.stages().get(stage).savedBytes();
            if (saved > 0 && saved + more > bound) {
                begins.set(stage);
                saved = 0;
            }
            saved += more;
        }
        return begins;
    }
}
