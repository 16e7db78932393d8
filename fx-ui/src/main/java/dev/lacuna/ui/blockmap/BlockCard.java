package dev.lacuna.ui.blockmap;

import java.util.List;
import javafx.scene.control.Label;
import javafx.scene.layout.GridPane;

/** The card beside the pointer that says what lies under it. */
final class BlockCard extends GridPane {
    private static final double DISTANCE = 14;
    private static final double WIDEST = 420;

    private List<BlockText.Fact> shown = List.of();

    BlockCard() {
        getStyleClass().add("crosshair-card");
        setManaged(false);
        setMouseTransparent(true);
        setVisible(false);
    }

    /** Shows these facts beside a point, on the side where there is room. */
    void show(List<BlockText.Fact> facts, double x, double y, double width, double height) {
        if (!facts.equals(shown)) {
            shown = List.copyOf(facts);
            fill();
        }
        setVisible(true);
        double left = x + DISTANCE + getWidth() <= width ? x + DISTANCE : x - DISTANCE - getWidth();
        double top = y + DISTANCE + getHeight() <= height ? y + DISTANCE : y - DISTANCE - getHeight();
        relocate(Math.round(Math.max(0, left)), Math.round(Math.max(0, top)));
    }

    private void fill() {
        getChildren().clear();
        int row = 0;
        for (BlockText.Fact fact : shown) {
            Label value = new Label(fact.value());
            value.setMaxWidth(WIDEST);
            value.getStyleClass().add(row == 0 ? "crosshair-time" : "crosshair-value");
            if (fact.name().isEmpty()) {
                add(value, 0, row++, 2, 1);
            } else {
                Label name = new Label(fact.name());
                name.getStyleClass().add("crosshair-name");
                addRow(row++, name, value);
            }
        }
        applyCss();
        autosize();
    }
}
