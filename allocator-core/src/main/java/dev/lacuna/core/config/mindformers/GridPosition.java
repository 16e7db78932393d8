package dev.lacuna.core.config.mindformers;

/**
 * A cell of the grid.
 *
 * @param layer from 0
 * @param column 0 for the whole layer, then the operators in their order
 */
public record GridPosition(int layer, int column) {
    /** Number of columns. */
    public static int columns() {
        return 1 + LayerGrid.operators().size();
    }

    /** The cell of this operator; the empty name is the layer itself. */
    public static GridPosition of(int layer, String operator) {
        return new GridPosition(
                layer, operator.isEmpty() ? 0 : 1 + LayerGrid.operators().indexOf(operator));
    }

    /** Whether it stands for the whole layer. */
    public boolean whole() {
        return column == 0;
    }

    /** Its operator; empty for the whole layer. */
    public String operator() {
        return whole() ? "" : LayerGrid.operators().get(column - 1);
    }
}
