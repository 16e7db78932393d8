package dev.lacuna.core.planning.graph.retention;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Anneals many beginnings a little, the better third of them more, and so on: each round takes as many moves in all.
 * It ends early when a cost is met that nothing can undercut.
 */
final class RetentionTournament {
    /** Share of the base cost that a move may lose when a round begins, and when it ends. */
    private static final double[] HOT = {5e-4, 1e-3, 1e-3, 3e-4};

    private static final double COLD = 1e-5;
    /** Price of a byte above the limit at first: a share of what the step costs per byte of its peak. */
    private static final double PRICE = 0.03;

    private final long limit;
    private final long goal;
    private final double base;
    private final double price;
    private final Retention state;

    /** A schedule; what does not fit comes after all that fits. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
    private record Entrant(long[] recomputations, long cost, long excess) {
        boolean fits() {
            return excess == 0;
        }
    }

    private static final Comparator<Entrant> BETTER =
            Comparator.comparingLong(Entrant::excess).thenComparingLong(Entrant::cost);

    /**
     * A tournament on a graph.
     *
     * @param limit bytes for all values alive at once, fixed bytes not included
     * @param goal no schedule costs less
     */
    RetentionTournament(GraphProfile graph, long limit, long goal) {
        this.limit = limit;
        this.goal = goal;
        base = Math.max(1, graph.baseCost());
        state = new Retention(graph);
        long most = 1;
        for (int stage = 0; stage < graph.size(); stage++) {
            most = Math.max(most, state.peak(stage));
        }
        price = PRICE * base / most;
    }

    /** The recomputations of the cheapest schedule that fits; empty when none was found. */
    Optional<long[]> run(List<long[]> beginnings, long moves, Patience patience) {
        List<Entrant> field = new ArrayList<>();
        for (long[] each : beginnings) {
            state.restore(each);
            field.add(new Entrant(each, state.cost(), state.excess(limit)));
        }
        for (int round = 0; round < HOT.length; round++) {
            long share = moves / HOT.length / field.size();
            List<Entrant> next = new ArrayList<>();
            for (int i = 0; i < field.size() && !met(field) && !met(next) && !patience.isOver(); i++) {
                next.add(annealed(field.get(i), share, base * HOT[round], 31L * round + i, patience));
            }
            next.addAll(field);
            next.sort(BETTER);
            field = new ArrayList<>(next.subList(0, (field.size() + 2) / 3));
        }
        return field.stream().min(BETTER).filter(Entrant::fits).map(Entrant::recomputations);
    }

    private boolean met(List<Entrant> field) {
        return field.stream().anyMatch(each -> each.fits() && each.cost <= goal);
    }

    private Entrant annealed(Entrant from, long moves, double hot, long seed, Patience patience) {
        state.restore(from.recomputations);
        RetentionSearch search = new RetentionSearch(state, limit, seed);
        search.anneal(moves, hot, base * COLD, price, patience);
        return search.bestCost() < Long.MAX_VALUE
                ? new Entrant(search.best(), search.bestCost(), 0)
                : new Entrant(state.snapshot(), state.cost(), state.excess(limit));
    }
}
