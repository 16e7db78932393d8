package dev.lacuna.ui.planner.mindformers;

import java.util.ArrayList;
import java.util.List;

/** A rectangle of cells, from where a selection began to where it is now. */
record GridRange(GridCell anchor, GridCell lead) {
    static GridRange of(GridCell cell) {
        return new GridRange(cell, cell);
    }

    GridRange to(GridCell cell) {
        return new GridRange(anchor, cell);
    }

    boolean contains(GridCell cell) {
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
    List<GridCell> cells() {
        List<GridCell> cells = new ArrayList<>();
        for (int layer = firstLayer(); layer <= lastLayer(); layer++) {
            for (int column = Math.min(anchor.column(), lead.column());
                    column <= Math.max(anchor.column(), lead.column());
                    column++) {
                cells.add(new GridCell(layer, column));
            }
        }
        return cells;
    }
}
