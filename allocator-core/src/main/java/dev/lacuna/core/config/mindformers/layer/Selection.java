package dev.lacuna.core.config.mindformers.layer;

import dev.lacuna.core.config.document.ConfigValue;
import java.util.List;
import java.util.Set;

/** Which layers a setting reaches, after MindFormers' normalisation. */
public sealed interface Selection {
    /** Whether it reaches a layer that lies at this place; beyond its rows it does not. */
    boolean reaches(int layer, LayerDistribution.Place place);

    /**
     * The first so many layers of each mini-stage: {@code [interleave][stage]}. Rows may be shorter than the pipeline when the file's
     * were; MindFormers then fails at the first layer that lies beyond.
     */
    record FirstOfEach(List<List<Integer>> counts) implements Selection {
        public FirstOfEach {
            counts = counts.stream().map(List::copyOf).toList();
        }

        @Override
        public boolean reaches(int layer, LayerDistribution.Place place) {
            return place.interleave() < counts.size()
                    && place.stage() < counts.get(place.interleave()).size()
                    && place.position() < counts.get(place.interleave()).get(place.stage());
        }
    }

    /**
     * These layers by index.
     *
     * @param layers as given: beside numbers, {@code True} stands for 1
     * @param indices what they reach
     */
    record ByIndex(List<ConfigValue> layers, Set<Integer> indices) implements Selection {
        public ByIndex {
            layers = List.copyOf(layers);
            indices = Set.copyOf(indices);
        }

        /** As given. */
        public ByIndex(List<ConfigValue> layers) {
            this(layers, Python.indices(layers));
        }

        @Override
        public boolean reaches(int layer, LayerDistribution.Place place) {
            return indices.contains(layer);
        }
    }

    /** Every layer. */
    record Everywhere() implements Selection {
        @Override
        public boolean reaches(int layer, LayerDistribution.Place place) {
            return true;
        }
    }
}
