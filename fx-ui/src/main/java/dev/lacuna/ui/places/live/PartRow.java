package dev.lacuna.ui.places.live;

import dev.lacuna.ui.text.Texts;
import javafx.css.PseudoClass;
import javafx.scene.AccessibleRole;
import javafx.scene.Node;
import javafx.scene.input.KeyCode;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Region;

/** The ground of a row that stands for a part of the memory: chosen by mouse or keyboard it makes that part stand out everywhere. */
final class PartRow extends Region {
    private static final Texts TEXTS = Texts.of("live");
    private static final PseudoClass CHOSEN = PseudoClass.getPseudoClass("chosen");

    private final LiveViewModel model;
    private final MemoryPart part;

    PartRow(LiveViewModel model, MemoryPart part, String nameKey) {
        this.model = model;
        this.part = part;
        getStyleClass().add("part-row");
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.TOGGLE_BUTTON);
        accessibleTextProperty().bind(TEXTS.bind(nameKey));
        setMaxSize(Double.MAX_VALUE, Double.MAX_VALUE);
        setOnMousePressed(this::pressed);
        setOnKeyPressed(e -> {
            if (e.getCode() == KeyCode.ENTER || e.getCode() == KeyCode.SPACE) {
                choose();
                e.consume();
            }
        });
        model.selectionProperty().addListener((property, before, now) -> show(now));
        show(model.selectionProperty().get());
    }

    /** Lies under a row of a grid with these nodes; a click on them means it. */
    void layUnder(GridPane grid, int row, Node... nodes) {
        grid.add(this, 0, row, GridPane.REMAINING, 1);
        for (Node node : nodes) {
            node.setOnMousePressed(this::pressed);
        }
    }

    private void pressed(MouseEvent event) {
        requestFocus();
        choose();
        event.consume();
    }

    private void choose() {
        model.choose(new LiveSelection.Part(part));
    }

    private void show(LiveSelection selection) {
        boolean chosen = selection instanceof LiveSelection.Part same && same.part() == part
                || selection instanceof LiveSelection.Piece piece && piece.part() == part;
        pseudoClassStateChanged(CHOSEN, chosen);
    }
}
