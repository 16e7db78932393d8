package dev.lacuna.core.config.mindformers.layer;

import java.util.ArrayList;
import java.util.List;

/**
 * How many layers each mini-stage holds, and which. A mini-stage is one interleave {@code v} of one pipeline stage {@code s}; layers
 * run through all stages of interleave 0 first.
 *
 * @param counts {@code [v][s]}, not negative; they sum to the number of layers
 * @param firstStage number of the first stage, for models that occupy only some of the pipeline
 */
public record LayerDistribution(List<List<Integer>> counts, int firstStage) {
    /** A layer's place: its mini-stage, and the how-manieth of it the layer is, from 0. */
    public record Place(int interleave, int stage, int position) {}

    public LayerDistribution {
        counts = counts.stream().map(List::copyOf).toList();
    }

    /** Number of layers. */
    public int layers() {
        return counts.stream().flatMap(List::stream).mapToInt(Integer::intValue).sum();
    }

    /** Pipeline stages. */
    public int stages() {
        return counts.get(0).size();
    }

    /** Mini-stages per stage. */
    public int interleaves() {
        return counts.size();
    }

    /** Layers of this stage in all interleaves. */
    public int ofStage(int stage) {
        return counts.stream().mapToInt(row -> row.get(stage)).sum();
    }

    /** The place of each layer, in their order. */
    public List<Place> places() {
        List<Place> places = new ArrayList<>();
        for (int v = 0; v < interleaves(); v++) {
            for (int s = 0; s < stages(); s++) {
                for (int i = 0; i < counts.get(v).get(s); i++) {
                    places.add(new Place(v, s, i));
                }
            }
        }
        return places;
    }
}
