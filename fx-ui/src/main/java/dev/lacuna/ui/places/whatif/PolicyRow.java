package dev.lacuna.ui.places.whatif;

import java.util.function.Consumer;
import javafx.css.PseudoClass;
import javafx.scene.AccessibleRole;
import javafx.scene.Node;
import javafx.scene.input.KeyCode;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Region;

/** The ground of a policy's row in the table: chosen by mouse or keyboard it makes the policy stand out in the chart, its legend and the list. */
final class PolicyRow extends Region {
    static final PseudoClass CHOSEN = PseudoClass.getPseudoClass("chosen");

    private final Runnable choose;
    private final Consumer<Boolean> pointed;

    /**
     * @param choose the operator chose it, or let go of it
     * @param pointed told whether the pointer is on it
     */
    PolicyRow(String policy, Runnable choose, Consumer<Boolean> pointed) {
        this.choose = choose;
        this.pointed = pointed;
        setId("whatif-row-" + policy);
        getStyleClass().add("part-row");
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.TOGGLE_BUTTON);
        setAccessibleText(policy);
        setMaxSize(Double.MAX_VALUE, Double.MAX_VALUE);
        listen(this);
        setOnKeyPressed(e -> {
            if (e.getCode() == KeyCode.ENTER || e.getCode() == KeyCode.SPACE) {
                choose.run();
                e.consume();
            }
        });
    }

    /** Lies under these cells of a row; a click on them means it. */
    void layUnder(GridPane grid, int row, Iterable<Node> cells) {
        grid.add(this, 0, row, GridPane.REMAINING, 1);
        toBack();
        cells.forEach(this::listen);
    }

    /** Stands out, or no longer. */
    void show(boolean chosen) {
        pseudoClassStateChanged(CHOSEN, chosen);
    }

    private void listen(Node node) {
        node.setOnMousePressed(this::pressed);
        node.setOnMouseEntered(e -> pointed.accept(true));
        node.setOnMouseExited(e -> pointed.accept(false));
    }

    private void pressed(MouseEvent event) {
        requestFocus();
        choose.run();
        event.consume();
    }
}
