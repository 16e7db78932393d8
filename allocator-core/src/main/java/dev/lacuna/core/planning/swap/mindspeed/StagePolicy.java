package dev.lacuna.core.planning.swap.mindspeed;

import dev.lacuna.core.planning.swap.mindspeed.LayerCombination.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What each layer of a pipeline stage does.
 *
 * @param place where the stage stands
 * @param layers one combination per layer of the stage, in order
 */
public record StagePolicy(StagePlace place, List<LayerCombination> layers) {
    private static final int RECOMPUTED = 0;
    private static final int SWAPPED = 1;
    private static final int KEPT = 2;

    public StagePolicy {
        layers = List.copyOf(layers);
    }

    /** Activation memory of all layers at the height of warm-up, MiB. */
    public double memoryMb() {
        List<Integer> inFlight = place.inFlight();
        double sum = 0;
        for (int i = 0; i < layers.size(); i++) {
            sum += place.inFlightOf(i, inFlight) * layers.get(i).memoryMb();
        }
        return sum;
    }

    /** Time added to one micro-batch over all layers, milliseconds. */
    public double timeMs() {
        return layers.stream().mapToDouble(LayerCombination::timeMs).sum();
    }

    /**
     * The framework's form: a row per combination in the order of first use: how many layers, the layer's action
     * (0 full recomputation, 1 full swap, 2 by module, 3 nothing), then an action per module (0 recomputed, 1 swapped,
     * 2 kept).
     *
     * @param modules names of the adaptable modules, depth first
     */
    public List<List<Integer>> rows(List<String> modules) {
        Map<LayerCombination, Integer> counts = new LinkedHashMap<>();
        layers.forEach(each -> counts.merge(each, 1, Integer::sum));
        List<List<Integer>> rows = new ArrayList<>();
        counts.forEach((combination, count) -> {
            List<Integer> row =
                    new ArrayList<>(List.of(count, combination.kind().ordinal()));
            modules.forEach(module -> row.add(action(combination, module)));
            rows.add(List.copyOf(row));
        });
        return List.copyOf(rows);
    }

    private static int action(LayerCombination combination, String module) {
        if (combination.kind() == Kind.FULL_RECOMPUTE || combination.recompute().contains(module)) {
            return RECOMPUTED;
        }
        return combination.kind() == Kind.FULL_SWAP || combination.swap().contains(module) ? SWAPPED : KEPT;
    }
}
