package dev.lacuna.ui.places.planner.mindformers;

import dev.lacuna.core.config.mindformers.layer.LayerState;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows of the grid from top to bottom: a heading for each mini-stage, then its layers. Without a pipeline there are no headings.
 *
 * @param rows in order
 */
record GridRows(List<Row> rows) {
    /** Height of any row, in pixels. */
    static final double HEIGHT = 22;

    /** One of them. */
    sealed interface Row {
        /** Begins a mini-stage of so many layers. */
        record Heading(int stage, int interleave, int layers) implements Row {}

        /** A layer. */
        record Layer(int layer) implements Row {}
    }

    GridRows {
        rows = List.copyOf(rows);
    }

    static GridRows of(List<LayerState> layers) {
        boolean staged = layers.stream().anyMatch(l -> l.stage() != 0 || l.interleave() != 0);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < layers.size(); i++) {
            LayerState layer = layers.get(i);
            boolean first = i == 0 || !together(layers.get(i - 1), layer);
            if (staged && first) {
                long count =
                        layers.stream().filter(other -> together(other, layer)).count();
                rows.add(new Row.Heading(layer.stage(), layer.interleave(), (int) count));
            }
            rows.add(new Row.Layer(i));
        }
        return new GridRows(rows);
    }

    private static boolean together(LayerState a, LayerState b) {
        return a.stage() == b.stage() && a.interleave() == b.interleave();
    }

    /** Height of all rows. */
    double height() {
        return rows.size() * HEIGHT;
    }

    /** Top of this layer's row. */
    double top(int layer) {
        return rows.indexOf(new Row.Layer(layer)) * HEIGHT;
    }

    /** The layer at this height, or the nearest. */
    int layerAt(double y) {
        int index = Math.max(0, Math.min(rows.size() - 1, (int) (y / HEIGHT)));
        if (rows.get(index) instanceof Row.Layer layer) {
            return layer.layer();
        }
        return ((Row.Layer) rows.get(index + 1)).layer();
    }
}
