package dev.lacuna.core.planning.swap.mindspeed;

import java.util.ArrayList;
import java.util.List;

/**
 * A policy as it is put in force: layers take the rows in order, and each module of a layer is recomputed, swapped or left
 * alone.
 *
 * @param layers per layer what happens
 */
public record PolicyApplication(List<Layer> layers) {
    private static final int FULL_RECOMPUTE = 0;
    private static final int FULL_SWAP = 1;
    private static final int ADAPTIVE = 2;
    private static final int RECOMPUTE = 0;
    private static final int SWAP = 1;

    /**
     * One layer. Every layer also gets the out-of-memory rescue.
     *
     * @param whole whether the whole layer is recomputed
     * @param recompute modules that are recomputed
     * @param swap modules that are swapped
     */
    public record Layer(boolean whole, List<String> recompute, List<String> swap) {
        public Layer {
            recompute = List.copyOf(recompute);
            swap = List.copyOf(swap);
        }
    }

    public PolicyApplication {
        layers = List.copyOf(layers);
    }

    /**
     * @param rows as {@link StagePolicy#rows}: how many layers, the layer's action, an action per module
     * @param modules names of the adaptable modules, depth first
     * @throws IllegalArgumentException when a row has another number of modules
     */
    public static PolicyApplication of(List<List<Integer>> rows, List<String> modules) {
        List<Layer> layers = new ArrayList<>();
        for (List<Integer> row : rows) {
            if (row.size() != modules.size() + 2) {
                throw new IllegalArgumentException("a row of " + row.size() + " for " + modules.size() + " modules");
            }
            Layer layer = switch (row.get(1)) {
                case FULL_RECOMPUTE -> new Layer(true, List.of(), List.of());
                case FULL_SWAP -> new Layer(false, List.of(), modules);
                case ADAPTIVE -> new Layer(false, marked(row, modules, RECOMPUTE), marked(row, modules, SWAP));
                default -> new Layer(false, List.of(), List.of());
            };
            for (int i = 0; i < row.get(0); i++) {
                layers.add(layer);
            }
        }
        return new PolicyApplication(layers);
    }

    private static List<String> marked(List<Integer> row, List<String> modules, int action) {
        List<String> marked = new ArrayList<>();
        for (int i = 0; i < modules.size(); i++) {
            if (row.get(i + 2) == action) {
                marked.add(modules.get(i));
            }
        }
        return marked;
    }
}
