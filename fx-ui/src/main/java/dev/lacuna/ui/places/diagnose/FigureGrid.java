package dev.lacuna.ui.places.diagnose;

import java.util.List;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;

/** Numbers with their names, as many in a line as fit; every digit on hover. */
final class FigureGrid extends FlowPane {
    FigureGrid(List<FigureWords> figures) {
        getStyleClass().add("figures");
        setMinHeight(Region.USE_PREF_SIZE);
        getChildren().setAll(figures.stream().map(FigureGrid::figure).toList());
    }

    private static Node figure(FigureWords figure) {
        Label name = new Label(figure.name());
        name.getStyleClass().add("muted");
        Label value = new Label(figure.text());
        value.getStyleClass().addAll("figure-value", "strong");
        if (!figure.style().isEmpty()) {
            value.getStyleClass().add(figure.style());
        }
        value.setTooltip(new Tooltip(figure.name() + "\n" + figure.exact()));
        HBox row = new HBox(name, value);
        row.getStyleClass().add("figure");
        row.setAlignment(Pos.BASELINE_LEFT);
        return row;
    }
}
