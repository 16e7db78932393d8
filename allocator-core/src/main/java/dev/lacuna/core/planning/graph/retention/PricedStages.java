package dev.lacuna.core.planning.graph.retention;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.graph.checkpoint.Checkpoints;
import dev.lacuna.core.planning.graph.model.GraphNode;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * Beginnings for a search: what to keep over the worst moment when bytes have a price in every stage, by one minimum
 * cut; prices rise where the schedule that follows needs too much and fall elsewhere (subgradient steps). The prices
 * look one recomputation ahead only, so this proves nothing.
 */
final class PricedStages {
    private static final int MOST_KEPT = 12;
    /** Free bytes lower a price by at most this share of the step. */
    private static final double STEEPEST_FALL = 0.02;

    private final GraphProfile graph;
    private final long limit;
    private final int turn;
    private final Retention state;
    private final double[] price;
    private final List<Candidate> candidates = new ArrayList<>();

    /** When a value before the turn is first and last needed after it. */
    private final int[] first;

    private final int[] last;
    /** Those that the graph's own later nodes read. */
    private final BitSet direct = new BitSet();

    @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
    private record Candidate(long[] recomputations, double energy) {}

    /** @param moment stage of the worst moment */
    PricedStages(GraphProfile graph, long limit, int moment) {
        this.graph = graph;
        this.limit = limit;
        turn = moment + 1;
        state = new Retention(graph);
        price = new double[graph.size()];
        first = new int[turn];
        last = new int[turn];
        needs();
    }

    private void needs() {
        Arrays.fill(first, graph.size());
        Arrays.fill(last, -1);
        for (int stage = turn; stage < graph.size(); stage++) {
            for (int input : graph.nodes().get(stage).inputs()) {
                if (input < turn) {
                    first[input] = Math.min(first[input], stage);
                    last[input] = stage;
                    direct.set(input);
                }
            }
        }
        for (int node = turn - 1; node >= 0; node--) {
            if (first[node] < graph.size()) {
                for (int input : graph.nodes().get(node).inputs()) {
                    first[input] = Math.min(first[input], first[node]);
                    last[input] = Math.max(last[input], first[node]);
                }
            }
        }
    }

    /**
     * The best of so many rounds, as recomputations.
     *
     * @param boldness how fast prices change: slow ones find balanced schedules, fast ones many different ones
     */
    List<long[]> beginnings(int rounds, double boldness, Patience patience) {
        Arrays.fill(price, 0);
        candidates.clear();
        double costPerByte = 0.05 * graph.baseCost() / Math.max(1.0, limit);
        for (int round = 0; round < rounds && !patience.isOver(); round++) {
            state.restore(Checkpoints.schedule(graph, kept(), turn).recomputations());
            note(costPerByte);
            // Relative excess moves the price of a stage; steps shrink.
            double step = costPerByte * boldness / Math.sqrt(1 + round);
            for (int stage = 0; stage < price.length; stage++) {
                double over = (double) (state.peak(stage) - limit) / limit;
                price[stage] = Math.max(0, price[stage] + step * Math.max(-STEEPEST_FALL, Math.min(over, 0.5)));
            }
        }
        return candidates.stream().map(Candidate::recomputations).toList();
    }

    private void note(double costPerByte) {
        double worst = 0;
        for (int stage = 0; stage < price.length; stage++) {
            worst = Math.max(worst, state.peak(stage) - limit);
        }
        double energy = state.cost() + 4 * costPerByte * worst;
        if (candidates.stream().noneMatch(each -> each.energy == energy)) {
            candidates.add(new Candidate(state.snapshot(), energy));
            candidates.sort(Comparator.comparingDouble(Candidate::energy));
            if (candidates.size() > MOST_KEPT) {
                candidates.remove(MOST_KEPT);
            }
        }
    }

    private BitSet kept() {
        double[] from = new double[price.length + 1];
        for (int stage = 0; stage < price.length; stage++) {
            from[stage + 1] = from[stage] + price[stage];
        }
        // Doubles of the cut's whole numbers: prices need no more than a part in 2²⁰ of the base cost.
        double scale = (1L << 40) / (double) Math.max(1, graph.baseCost());
        int source = 2 * turn;
        MinimumCut network = new MinimumCut(source + 2, source, source + 1);
        for (int node = 0; node < turn; node++) {
            GraphNode each = graph.nodes().get(node);
            if (last[node] < 0) {
                continue;
            }
            double keep = each.bytes() * (from[last[node] + 1] - from[turn - 1]);
            double again = each.cost() + each.bytes() * (from[last[node] + 1] - from[first[node]]);
            network.arc(2 * node, 2 * node + 1, (long) Math.min(keep * scale, 1L << 44));
            network.arc(2 * node + 1, source + 1, (long) Math.min(again * scale, 1L << 44));
            if (direct.get(node)) {
                network.arc(source, 2 * node, MinimumCut.UNCUTTABLE);
            }
            for (int input : each.inputs()) {
                network.arc(2 * node + 1, 2 * input, MinimumCut.UNCUTTABLE);
            }
        }
        network.cut();
        BitSet kept = new BitSet();
        for (int node = 0; node < turn; node++) {
            if (!network.onSourceSide(2 * node + 1)) {
                kept.set(node);
            }
        }
        kept.set(turn - 1);
        graph.nodes().get(turn - 1).inputs().forEach(kept::set);
        return kept;
    }
}
