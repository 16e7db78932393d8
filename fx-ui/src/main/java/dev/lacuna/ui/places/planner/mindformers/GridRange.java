package dev.lacuna.ui.places.planner.mindformers;

import dev.lacuna.core.config.mindformers.GridPosition;
import java.util.ArrayList;
import java.util.List;

/** A rectangle of cells, from where a selection began to where it is now. */
record GridRange(GridPosition anchor, GridPosition lead) {
    static GridRange of(GridPosition cell) {
        return new GridRange(cell, cell);
    }

    GridRange to(GridPosition cell) {
        return new GridRange(anchor, cell);
    }

    boolean contains(GridPosition cell) {
        return firstLayer() <= cell.layer()
                && cell.layer() <= lastLayer()
                && Math.min(anchor.column(), lead.column()) <= cell.column()
                && cell.column() <= Math.max(anchor.column(), lead.column());
    }

    int firstLayer() {
        return Math.min(anchor.layer(), lead.layer());
    }

    int lastLayer() {
        return Math.max(anchor.layer(), lead.layer());
    }

    /** All cells, layer by layer. */
    List<GridPosition> cells() {
        List<GridPosition> cells = new ArrayList<>();
        for (int layer = firstLayer(); layer <= lastLayer(); layer++) {
            for (int column = Math.min(anchor.column(), lead.column());
                    column <= Math.max(anchor.column(), lead.column());
                    column++) {
                cells.add(new GridPosition(layer, column));
            }
        }
        return cells;
    }
}
