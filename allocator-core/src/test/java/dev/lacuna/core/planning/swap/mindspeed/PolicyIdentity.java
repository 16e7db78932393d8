package dev.lacuna.core.planning.swap.mindspeed;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * What makes two policies of a stage the same to the framework's cache: which modules how many layers recompute and swap.
 * Neither the order of layers nor that of modules matters, nor the layer's action: full recomputation names the whole layer.
 */
public record PolicyIdentity(Map<Layer, Integer> layers) {
    /** What one layer recomputes and swaps, sorted. */
    public record Layer(List<String> recompute, List<String> swap) {
        /** The layer's part of the identity. */
        public static Layer of(LayerCombination combination) {
            return new Layer(sorted(combination.recompute()), sorted(combination.swap()));
        }

        private static List<String> sorted(List<String> names) {
            return new ArrayList<>(new TreeSet<>(names));
        }

        public Layer {
            recompute = List.copyOf(recompute);
            swap = List.copyOf(swap);
        }
    }

    public PolicyIdentity {
        layers = Map.copyOf(layers);
    }

    /** The identity of a policy. */
    public static PolicyIdentity of(StagePolicy policy) {
        return of(policy.layers());
    }

    /** The identity of a policy, by its layers. */
    public static PolicyIdentity of(List<LayerCombination> layers) {
        Map<Layer, Integer> counts = new HashMap<>();
        layers.forEach(each -> counts.merge(Layer.of(each), 1, Integer::sum));
        return new PolicyIdentity(counts);
    }
}
