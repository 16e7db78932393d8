package dev.lacuna.core.config.mindformers;

import dev.lacuna.core.config.document.ConfigValue;
import dev.lacuna.core.config.mindformers.layer.LayerDistribution;
import dev.lacuna.core.config.mindformers.layer.Selection;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * How a set of layers is written: with swap on as a list of indices, else as how many layers of each mini-stage, from its first.
 *
 * @param indifferent layers that may be counted in or not: they are recomputed in full
 */
record SelectionSyntax(LayerDistribution layers, boolean byIndex, BitSet indifferent) {
    /** Layers that would have to be left out although a later one of their mini-stage is counted; none when the set can be written. */
    Set<Integer> gaps(List<Boolean> wanted) {
        Set<Integer> gaps = new TreeSet<>();
        if (!byIndex) {
            int[][] counts = counts(wanted);
            List<LayerDistribution.Place> places = layers.places();
            for (int layer = 0; layer < wanted.size(); layer++) {
                LayerDistribution.Place place = places.get(layer);
                boolean counted = place.position() < counts[place.interleave()][place.stage()];
                if (counted && !wanted.get(layer) && !indifferent.get(layer)) {
                    gaps.add(layer);
                }
            }
        }
        return gaps;
    }

    /** The set, as the value of a setting. */
    ConfigValue value(List<Boolean> wanted) {
        return byIndex ? indices(wanted) : byCounts(counts(wanted));
    }

    /** The set as the value of {@code recompute}, which takes true and false in both cases. */
    ConfigValue valueOrFlag(List<Boolean> wanted) {
        if (byIndex && wanted.stream().noneMatch(w -> w)) {
            return ConfigValue.of(false);
        }
        return byIndex && wanted.stream().allMatch(w -> w) ? ConfigValue.of(true) : value(wanted);
    }

    /** The layers of a selection. */
    List<Boolean> layersOf(Selection selection) {
        List<Boolean> reached = new ArrayList<>();
        List<LayerDistribution.Place> places = layers.places();
        for (int layer = 0; layer < places.size(); layer++) {
            reached.add(selection.reaches(layer, places.get(layer)));
        }
        return reached;
    }

    private ConfigValue indices(List<Boolean> wanted) {
        List<ConfigValue> indices = new ArrayList<>();
        for (int layer = 0; layer < wanted.size(); layer++) {
            if (wanted.get(layer) && !indifferent.get(layer)) {
                indices.add(ConfigValue.of(layer));
            }
        }
        return ConfigValue.of(indices);
    }

    private int[][] counts(List<Boolean> wanted) {
        int[][] counts = new int[layers.interleaves()][layers.stages()];
        List<LayerDistribution.Place> places = layers.places();
        for (int layer = 0; layer < wanted.size(); layer++) {
            if (wanted.get(layer) && !indifferent.get(layer)) {
                LayerDistribution.Place place = places.get(layer);
                counts[place.interleave()][place.stage()] = place.position() + 1;
            }
        }
        return counts;
    }

    private ConfigValue byCounts(int[][] counts) {
        List<ConfigValue> rows = new ArrayList<>();
        boolean all = true;
        boolean none = true;
        for (int v = 0; v < counts.length; v++) {
            List<ConfigValue> row = new ArrayList<>();
            for (int s = 0; s < counts[v].length; s++) {
                row.add(ConfigValue.of(counts[v][s]));
                all &= counts[v][s] == layers.counts().get(v).get(s);
                none &= counts[v][s] == 0;
            }
            rows.add(ConfigValue.of(row));
        }
        if (all || none) {
            return ConfigValue.of(all);
        }
        return rows.size() == 1 ? rows.get(0) : ConfigValue.of(rows);
    }
}
