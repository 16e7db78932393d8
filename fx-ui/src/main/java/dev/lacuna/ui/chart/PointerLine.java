package dev.lacuna.ui.chart;

import javafx.scene.Group;
import javafx.scene.layout.GridPane;
import javafx.scene.shape.Line;

/** A vertical line under the pointer, and a card of values beside it. */
abstract class PointerLine {
    private static final double APART = 12;

    /** What is written on it is up to the chart. */
    final GridPane card = new GridPane();

    private final Line line = new Line();
    private final Group group = new Group(line, card);

    PointerLine() {
        line.getStyleClass().add("crosshair-line");
        card.getStyleClass().add("crosshair-card");
        group.setManaged(false);
        group.setMouseTransparent(true);
        group.setVisible(false);
    }

    final Group node() {
        return group;
    }

    final void hide() {
        group.setVisible(false);
    }

    /** Shows both, the card as it is written by now, on the side of the line where there is room. */
    final void show(double x, PlotArea plot) {
        line.setStartX(x);
        line.setEndX(x);
        line.setStartY(plot.top());
        line.setEndY(plot.bottom());
        group.setVisible(true);
        card.applyCss();
        card.autosize();
        double width = card.prefWidth(-1);
        double left = x + APART + width <= plot.right() ? x + APART : x - APART - width;
        card.relocate(Math.round(left), Math.round(plot.top() + APART));
    }
}
