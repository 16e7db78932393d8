package dev.lacuna.ui.chart;

import java.util.List;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.shape.Polygon;
import javafx.scene.shape.Rectangle;
import javafx.scene.shape.Shape;

/**
 * What colours mean: signs with words beside them. The style sheets give a meaning one colour ({@code .sign.reserved}), so that a sign of the
 * same meaning looks alike wherever it stands.
 */
public final class Legend extends FlowPane {
    private static final double SIDE = 10;
    private static final double ROUND = 3;
    private static final double LINE = 14;
    private static final double THICK = 4;

    /** A legend with these entries. */
    public Legend(Node... entries) {
        getStyleClass().add("legend");
        getChildren().setAll(entries);
    }

    /** Has these entries from now on. */
    public void show(List<? extends Node> entries) {
        getChildren().setAll(entries);
    }

    /** The square of a meaning: of an area, a part of a bar, a kind of thing. */
    public static Shape square(String meaning) {
        Rectangle square = new Rectangle(SIDE, SIDE);
        square.setArcWidth(ROUND);
        square.setArcHeight(ROUND);
        return sign(square, meaning);
    }

    /** The stroke of a curve. */
    public static Shape line(String meaning) {
        return sign(new Rectangle(LINE, THICK), meaning);
    }

    /** The triangle of a marked moment. */
    public static Shape mark(String meaning) {
        return sign(new Polygon(0, 0, 8, 0, 4, 8), meaning);
    }

    /** A sign and what is said of it. */
    public static HBox entry(Node sign, Node... words) {
        HBox entry = new HBox(sign);
        entry.getChildren().addAll(words);
        entry.getStyleClass().add("legend-entry");
        entry.setAlignment(Pos.CENTER_LEFT);
        entry.setMinWidth(Region.USE_PREF_SIZE);
        return entry;
    }

    private static Shape sign(Shape shape, String meaning) {
        shape.getStyleClass().addAll("sign", meaning);
        return shape;
    }
}
