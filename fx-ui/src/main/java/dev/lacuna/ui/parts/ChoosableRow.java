package dev.lacuna.ui.parts;

import javafx.css.PseudoClass;
import javafx.scene.AccessibleRole;
import javafx.scene.Node;
import javafx.scene.input.KeyCode;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Region;

/** The ground of a row of a grid: chosen by mouse or keyboard, what the row is about stands out wherever it is shown. */
public class ChoosableRow extends Region {
    /** State of whatever stands out. */
    public static final PseudoClass CHOSEN = PseudoClass.getPseudoClass("chosen");

    private final Runnable choose;

    /** @param choose the operator chose the row, or let go of it */
    public ChoosableRow(Runnable choose) {
        this.choose = choose;
        getStyleClass().add("part-row");
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.TOGGLE_BUTTON);
        setViewOrder(1); // Below the cells, and yet in their order for the keyboard.
        setMaxSize(Double.MAX_VALUE, Double.MAX_VALUE);
        setOnMousePressed(this::pressed);
        setOnKeyPressed(e -> {
            if (e.getCode() == KeyCode.ENTER || e.getCode() == KeyCode.SPACE) {
                choose.run();
                e.consume();
            }
        });
    }

    /** Lies under these cells of a row from now on; a click on them means it. */
    public void layUnder(GridPane grid, int row, Iterable<? extends Node> cells) {
        grid.add(this, 0, row, GridPane.REMAINING, 1);
        cells.forEach(cell -> cell.setOnMousePressed(this::pressed));
    }

    /** Stands out, or no longer. */
    public void show(boolean chosen) {
        pseudoClassStateChanged(CHOSEN, chosen);
    }

    private void pressed(MouseEvent event) {
        requestFocus();
        choose.run();
        event.consume();
    }
}
