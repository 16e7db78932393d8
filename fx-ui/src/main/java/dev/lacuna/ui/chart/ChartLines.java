package dev.lacuna.ui.chart;

import java.util.List;
import java.util.Optional;
import javafx.scene.Node;
import javafx.scene.shape.Line;
import javafx.scene.shape.Polygon;
import javafx.scene.shape.Rectangle;

/** The few lines and boxes over a timeline: which stretch of all is shown, what is selected, the instant at which it is held. */
final class ChartLines {
    private final Rectangle brush = quiet(new Rectangle(), "brush");
    private final Rectangle selection = quiet(new Rectangle(), "selection");
    private final Line cursor = quiet(new Line(), "cursor-line");
    private final Polygon handle = quiet(new Polygon(-5, -7, 5, -7, 0, 0), "cursor-handle");

    /** What lies under the words. */
    List<Node> boxes() {
        return List.of(brush, selection);
    }

    /** What lies over them. */
    List<Node> lines() {
        return List.of(cursor, handle);
    }

    /** @param shares from where to where, of all that is kept */
    void showBrush(PlotArea area, double... shares) {
        brush.setVisible(area.height() > 0 && shares[0] < shares[1] && (shares[0] > 0 || shares[1] < 1));
        box(brush, area, shares[0], shares[1]);
    }

    /** @param shares from where to where, of what is shown; empty: nothing is selected */
    void showSelection(PlotArea area, Optional<double[]> shares) {
        selection.setVisible(shares.isPresent());
        shares.ifPresent(s -> box(selection, area, s[0], s[1]));
    }

    /** @param share where, of what is shown; beyond 0 … 1 it is out of sight */
    void showCursor(PlotArea area, double share) {
        boolean visible = share >= 0 && share <= 1;
        cursor.setVisible(visible);
        handle.setVisible(visible);
        double x = Math.min(Math.round(area.left() + share * area.width()), Math.floor(area.right()) - 1) + 0.5;
        cursor.setStartX(x);
        cursor.setEndX(x);
        cursor.setStartY(area.top());
        cursor.setEndY(area.bottom());
        handle.relocate(x - 5, area.top() - 7);
    }

    private static void box(Rectangle box, PlotArea area, double from, double to) {
        double left = Math.max(0, Math.min(1, from));
        double right = Math.max(0, Math.min(1, to));
        box.setX(area.left() + left * area.width());
        box.setWidth(Math.max(2, (right - left) * area.width()));
        box.setY(area.top());
        box.setHeight(area.height());
    }

    private static <N extends Node> N quiet(N node, String styleClass) {
        node.getStyleClass().add(styleClass);
        node.setManaged(false);
        node.setMouseTransparent(true);
        node.setVisible(false);
        return node;
    }
}
