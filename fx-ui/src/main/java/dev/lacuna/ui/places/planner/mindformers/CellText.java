package dev.lacuna.ui.places.planner.mindformers;

import dev.lacuna.core.config.mindformers.GridPosition;
import dev.lacuna.core.config.mindformers.LayerGrid;
import dev.lacuna.core.config.mindformers.layer.LayerState;
import dev.lacuna.core.config.mindformers.layer.OperatorState;
import dev.lacuna.ui.text.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a cell gets, in words. */
final class CellText {
    private static final Texts TEXTS = Texts.of("planner");

    private CellText() {}

    static String of(LayerGrid grid, GridPosition cell) {
        LayerState row = grid.rows().get(cell.layer());
        String where = TEXTS.get(
                "mf.cell.where", Integer.toString(row.layer()), cell.whole() ? TEXTS.get("mf.whole") : cell.operator());
        return where + ": " + String.join(", ", cell.whole() ? whole(row) : operator(row, cell));
    }

    private static List<String> whole(LayerState row) {
        List<String> words = new ArrayList<>();
        words.add(TEXTS.get(row.fullRecompute() ? "mf.cell.full" : "mf.cell.none"));
        row.layerSwap().ifPresent(ahead -> words.add(TEXTS.get("mf.cell.swapped", ahead)));
        return words;
    }

    private static List<String> operator(LayerState row, GridPosition cell) {
        OperatorState state = row.operators().get(cell.column() - 1);
        List<String> words = new ArrayList<>();
        words.add(TEXTS.get("mf.cell." + state.recompute().name().toLowerCase(Locale.ROOT)));
        if (state.commRecompute()) {
            words.add(TEXTS.get("mf.cell.comm"));
        }
        state.prefetch().ifPresent(ahead -> words.add(TEXTS.get("mf.cell.swapped", ahead)));
        switch (state.fate()) {
            case RECOMPUTED -> words.add(TEXTS.get("mf.cell.void.recomputed"));
            case CONSUMER_RECOMPUTED -> words.add(TEXTS.get("mf.cell.void.consumer"));
            case NONE, SWAPPED -> {
                // Said already.
            }
        }
        return words;
    }
}
