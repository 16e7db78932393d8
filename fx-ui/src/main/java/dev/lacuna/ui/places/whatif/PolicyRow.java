package dev.lacuna.ui.places.whatif;

import dev.lacuna.ui.parts.ChoosableRow;
import java.util.function.Consumer;
import javafx.scene.Node;
import javafx.scene.layout.GridPane;

/** The ground of a policy's row in the table: chosen, it makes the policy stand out in the chart, its legend and the list. */
final class PolicyRow extends ChoosableRow {
    private final Consumer<Boolean> pointed;

    /** @param pointed told whether the pointer is on it */
    PolicyRow(String policy, Runnable choose, Consumer<Boolean> pointed) {
        super(choose);
        this.pointed = pointed;
        setId("whatif-row-" + policy);
        setAccessibleText(policy);
        listen(this);
    }

    @Override
    public void layUnder(GridPane grid, int row, Iterable<? extends Node> cells) {
        super.layUnder(grid, row, cells);
        cells.forEach(this::listen);
    }

    private void listen(Node node) {
        node.setOnMouseEntered(e -> pointed.accept(true));
        node.setOnMouseExited(e -> pointed.accept(false));
    }
}
