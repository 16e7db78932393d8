package dev.lacuna.ui.places.planner.mindformers;

import dev.lacuna.core.config.mindformers.GridPosition;
import dev.lacuna.core.config.mindformers.layer.LayerState;
import dev.lacuna.core.config.mindformers.layer.OperatorState;
import dev.lacuna.core.config.mindformers.layer.OperatorState.SwapFate;

/**
 * How a cell looks: colour, letters, and whether something in it is void. Letters say alone what the colour says.
 *
 * @param colour name of the fill; empty for none
 * @param letters F full, S selective, C communication, E excluded; an arrow and a number for a swap
 * @param isVoid whether its swap does nothing
 */
record CellLook(String colour, String letters, boolean isVoid) {
    static CellLook of(LayerState row, GridPosition cell) {
        if (cell.whole()) {
            String letters = (row.fullRecompute() ? "F " : "")
                    + row.layerSwap().map(ahead -> "↑" + ahead).orElse("");
            String colour = row.fullRecompute() ? "full" : row.layerSwap().isPresent() ? "swap" : "";
            return new CellLook(
                    colour,
                    letters.strip(),
                    row.fullRecompute() && row.layerSwap().isPresent());
        }
        OperatorState state = row.operators().get(cell.column() - 1);
        String letters = switch (state.recompute()) {
            case NONE -> "";
            case SELECT -> "S ";
            case FULL -> "F ";
            case EXCLUDED -> "E ";
        };
        letters += state.commRecompute() ? "C " : "";
        letters += state.prefetch().map(ahead -> "↑" + ahead).orElse("");
        boolean isVoid = state.fate() == SwapFate.RECOMPUTED || state.fate() == SwapFate.CONSUMER_RECOMPUTED;
        return new CellLook(colour(state), letters.strip(), isVoid);
    }

    private static String colour(OperatorState state) {
        return switch (state.recompute()) {
            case FULL -> "full";
            case SELECT -> "select";
            case EXCLUDED -> "excluded";
            case NONE -> state.prefetch().isPresent() ? "swap" : state.commRecompute() ? "comm" : "";
        };
    }
}
