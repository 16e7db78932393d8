package dev.lacuna.core.planning.swap.mindspeed;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The framework's knapsack: which combination each layer of a stage takes.
 *
 * <p>It keeps one best-by-time assignment for every (combinations so far, layers so far), so it is not exact: a slower
 * but leaner prefix is forgotten. Later combinations win ties.
 */
public final class LayerKnapsack {
    private final StagePlace place;
    private final LayerCombination fullRecompute;
    private final List<LayerCombination> candidates;

    /**
     * @param fullRecompute what a layer takes that nothing else was found for
     * @param candidates what a layer may take, in the order of generation, memory whole
     */
    public LayerKnapsack(StagePlace place, LayerCombination fullRecompute, List<LayerCombination> candidates) {
        this.place = place;
        this.fullRecompute = fullRecompute;
        this.candidates = List.copyOf(candidates);
    }

    /**
     * The assignment under a budget.
     *
     * @param deviceMb memory of the device, MiB
     * @param staticMb what is there beside the layers' activations, MiB; more than the device means no room at all
     */
    public StagePolicy solve(double deviceMb, double staticMb) {
        StagePolicy recomputed = new StagePolicy(place, Collections.nCopies(place.layersHere(), fullRecompute));
        return best(Math.max(deviceMb - staticMb, 0))
                .filter(policy -> policy.timeMs() < recomputed.timeMs())
                .orElse(recomputed);
    }

    private Optional<StagePolicy> best(double budgetMb) {
        int layers = place.layersHere();
        double[] weightUpTo = weights(layers);
        double[] memory = new double[layers + 1];
        double[] time = new double[layers + 1];
        boolean[] reached = new boolean[layers + 1];
        reached[0] = true;
        int[][] taken = new int[candidates.size()][];
        for (int i = 0; i < candidates.size(); i++) {
            taken[i] = extend(candidates.get(i), budgetMb, weightUpTo, memory, time, reached);
        }
        return reached[layers] ? Optional.of(new StagePolicy(place, follow(taken, layers))) : Optional.empty();
    }

    /** One row of the table, computed in place from the longest assignment down; returns how many layers took it. */
    private static int[] extend(
            LayerCombination each,
            double budgetMb,
            double[] weightUpTo,
            double[] memory,
            double[] time,
            boolean[] reached) {
        int[] taken = new int[memory.length];
        for (int j = memory.length - 1; j >= 1; j--) {
            boolean found = reached[j];
            double bestTime = time[j];
            double bestMemory = memory[j];
            for (int k = 1; k <= j; k++) {
                if (!reached[j - k]) {
                    continue;
                }
                double needs = memory[j - k] + each.memoryMb() * (weightUpTo[j] - weightUpTo[j - k]);
                double takes = time[j - k] + k * each.timeMs();
                if (needs <= budgetMb && (!found || takes <= bestTime)) {
                    found = true;
                    bestTime = takes;
                    bestMemory = needs;
                    taken[j] = k;
                }
            }
            reached[j] = found;
            time[j] = bestTime;
            memory[j] = bestMemory;
        }
        return taken;
    }

    private double[] weights(int layers) {
        List<Integer> inFlight = place.inFlightByLayer();
        double[] upTo = new double[layers + 1];
        for (int i = 0; i < layers; i++) {
            upTo[i + 1] = upTo[i] + inFlight.get(i);
        }
        return upTo;
    }

    private List<LayerCombination> follow(int[][] taken, int layers) {
        List<LayerCombination> backwards = new ArrayList<>();
        int left = layers;
        for (int i = taken.length - 1; i >= 0; i--) {
            int count = taken[i][left];
            backwards.addAll(Collections.nCopies(count, candidates.get(i)));
            left -= count;
        }
        Collections.reverse(backwards);
        return backwards;
    }
}
