package dev.lacuna.core.config.mindformers;

import dev.lacuna.core.config.mindformers.layer.LayerState;
import dev.lacuna.core.config.mindformers.layer.OperatorState;
import dev.lacuna.core.config.mindformers.layer.OperatorState.Recompute;
import java.util.List;
import java.util.Optional;

/** What can be done to cells. */
public enum GridAct {
    /** Nothing special any more. */
    KEEP,
    /** Recompute: the whole layer in its own column, else the operator. */
    RECOMPUTE,
    /** Repeat its communication. */
    COMMUNICATION,
    /** Take it out of what its layer recomputes. */
    EXCLUDE,
    /** Swap, coming back so many operators ahead. */
    SWAP;

    /** The grid with this done to these cells. What all of them have already is taken from them. */
    public LayerGrid on(LayerGrid grid, List<GridPosition> cells, String prefetch) {
        boolean all = this != KEEP && cells.stream().allMatch(cell -> holds(grid, cell));
        LayerGrid changed = grid;
        for (GridPosition cell : cells) {
            changed = one(changed, cell, !all, prefetch);
        }
        return changed;
    }

    /** The grid with this done to these cells, whatever they have. */
    public LayerGrid to(LayerGrid grid, List<GridPosition> cells, String prefetch) {
        LayerGrid changed = grid;
        for (GridPosition cell : cells) {
            changed = one(changed, cell, true, prefetch);
        }
        return changed;
    }

    /** Whether this is how far ahead something can come back: a number of operators from 1, or Auto. */
    public static boolean isPrefetch(String text) {
        return text.matches("[1-9]\\d{0,5}|Auto");
    }

    /** The grid with the next state in this cell: kept, recomputed, swapped, kept; in a layer that is recomputed, excluded or not. */
    public static LayerGrid cycle(LayerGrid grid, GridPosition cell, String prefetch) {
        List<GridPosition> one = List.of(cell);
        if (!cell.whole() && (grid.rows().get(cell.layer()).fullRecompute() || EXCLUDE.holds(grid, cell))) {
            return EXCLUDE.on(grid, one, prefetch);
        }
        if (RECOMPUTE.holds(grid, cell)) {
            LayerGrid kept = KEEP.on(grid, one, prefetch);
            return grid.swapOn() ? SWAP.on(kept, one, prefetch) : kept;
        }
        return SWAP.holds(grid, cell) ? KEEP.on(grid, one, prefetch) : RECOMPUTE.on(grid, one, prefetch);
    }

    private LayerGrid one(LayerGrid grid, GridPosition cell, boolean on, String prefetch) {
        int layer = cell.layer();
        Optional<String> ahead = Optional.of(prefetch).filter(p -> on);
        if (cell.whole()) {
            return switch (this) {
                case KEEP -> grid.full(layer, false).layerSwap(layer, Optional.empty());
                case RECOMPUTE -> grid.full(layer, on);
                case SWAP -> grid.layerSwap(layer, ahead);
                case COMMUNICATION, EXCLUDE -> grid;
            };
        }
        String operator = cell.operator();
        return switch (this) {
            case KEEP ->
                grid.select(layer, operator, false)
                        .communication(layer, operator, false)
                        .swap(layer, operator, Optional.empty());
            case RECOMPUTE ->
                on
                        ? grid.exclude(layer, operator, false).select(layer, operator, true)
                        : grid.select(layer, operator, false);
            case EXCLUDE -> grid.exclude(layer, operator, on);
            case COMMUNICATION -> grid.communication(layer, operator, on);
            case SWAP -> grid.swap(layer, operator, ahead);
        };
    }

    private boolean holds(LayerGrid grid, GridPosition cell) {
        LayerState row = grid.rows().get(cell.layer());
        if (cell.whole()) {
            return switch (this) {
                case RECOMPUTE -> row.fullRecompute();
                case SWAP -> row.layerSwap().isPresent();
                case COMMUNICATION, EXCLUDE, KEEP -> false;
            };
        }
        OperatorState state = row.operators().get(cell.column() - 1);
        return switch (this) {
            case RECOMPUTE -> state.recompute() == Recompute.SELECT;
            case COMMUNICATION -> state.commRecompute();
            case EXCLUDE -> state.recompute() == Recompute.EXCLUDED;
            case SWAP -> state.prefetch().isPresent();
            case KEEP -> false;
        };
    }
}
