package dev.lacuna.core.planning.graph.retention;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.graph.checkpoint.Checkpoints;
import dev.lacuna.core.planning.graph.model.GraphNode;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.planning.graph.model.StageSchedule;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The highest bound that any single {@link RecomputeMoment} of the step gives: first all moments with the best price of a byte,
 * then branch and bound on the most promising ones. It holds for schedules of every kind that compute nodes for the
 * first time in the graph's order.
 */
public final class MomentBound {
    /** Moments that are searched beyond their price. */
    private static final int SEARCHED = 6;
    /** Nodes times moments looked at, so that large graphs do not take for ever. */
    private static final int MOST_WORK = 150_000;

    private final GraphProfile graph;
    private final long limit;
    /** Costs are whole multiples of it, so bounds can be rounded up to such. */
    private final long grain;

    private record Promising(RecomputeMoment moment, MomentSearch search) {}

    private final List<Promising> promising;

    public MomentBound(GraphProfile graph, long budgetBytes, Patience patience) {
        this.graph = graph;
        limit = budgetBytes - graph.fixedBytes();
        grain = graph.nodes().stream().mapToLong(GraphNode::cost).reduce(0, MomentBound::commonDivisor);
        promising = moments()
                .takeWhile(stage -> !patience.isOver())
                .mapToObj(stage -> RecomputeMoment.of(graph, stage, limit))
                .map(moment -> new Promising(moment, new MomentSearch(moment, Double.POSITIVE_INFINITY)))
                .sorted(Comparator.comparingDouble(each -> -each.search.bound()))
                .limit(SEARCHED)
                .toList();
    }

    private static long commonDivisor(long a, long b) {
        return b == 0 ? a : commonDivisor(b, a % b);
    }

    /** The moments with the highest peaks without recomputation, where bytes are missing most. */
    private IntStream moments() {
        Retention keepAll = new Retention(graph);
        return IntStream.range(0, graph.size())
                .boxed()
                .sorted(Comparator.comparingLong(stage -> -keepAll.peak(stage)))
                .limit(Math.max(50, MOST_WORK / graph.size()))
                .mapToInt(Integer::intValue);
    }

    /**
     * Schedules that keep what the most promising moments keep: good beginnings for a search.
     *
     * @param branches branches followed per moment to find that
     */
    public List<StageSchedule> schedules(int branches, Patience patience) {
        List<StageSchedule> all = new ArrayList<>();
        for (Promising each : promising) {
            each.search.search(branches, patience);
            BitSet kept = new BitSet();
            each.search.fitting().stream().map(each.moment::node).forEach(kept::set);
            kept.set(each.moment.stage());
            graph.nodes().get(each.moment.stage()).inputs().forEach(kept::set);
            all.add(Checkpoints.schedule(graph, kept, each.moment.stage() + 1));
        }
        return all;
    }

    /** Whether there was no time to look at any moment. */
    boolean isEmpty() {
        return promising.isEmpty();
    }

    /** The stage of the most promising moment. */
    int worstStage() {
        return promising.get(0).moment.stage();
    }

    /** A cost below which there is no schedule, as far as the moments have been searched. */
    public long cost() {
        return promising.stream()
                .mapToLong(each -> roundedUp(each.search.bound()))
                .max()
                .orElse(graph.baseCost());
    }

    /**
     * A cost below which there is no schedule, at most {@code knownCost}.
     *
     * @param branches branches followed per moment
     */
    public long cost(long knownCost, int branches, Patience patience) {
        double target = knownCost - graph.baseCost() - 0.99 * grain;
        long best = graph.baseCost();
        for (Promising each : promising) {
            MomentSearch search = new MomentSearch(each.moment, target);
            search.search(branches, patience);
            best = Math.max(best, Math.min(knownCost, roundedUp(search.bound())));
            if (best == knownCost) {
                break;
            }
        }
        return best;
    }

    /** The least possible cost of a step of which this much is recomputation at least. */
    private long roundedUp(double recomputation) {
        if (grain == 0) {
            return graph.baseCost();
        }
        double grains = Math.ceil(Math.min(recomputation, GraphProfile.MOST_COST) * (1 - 1e-12) / grain - 1e-6);
        return graph.baseCost() + (long) grains * grain;
    }
}
