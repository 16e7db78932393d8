package dev.lacuna.ui.chart;

import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.Locale;
import javafx.scene.Group;
import javafx.scene.control.Label;
import javafx.scene.layout.GridPane;
import javafx.scene.shape.Line;

/** The vertical line under the pointer with the values of every run at that row. */
final class OverlayCrosshair {
    private final Texts texts;
    private final Line line = new Line();
    private final GridPane card = new GridPane();
    private final Group group = new Group(line, card);

    OverlayCrosshair(Texts texts) {
        this.texts = texts;
        line.getStyleClass().add("crosshair-line");
        card.getStyleClass().add("crosshair-card");
        group.setManaged(false);
        group.setMouseTransparent(true);
        group.setVisible(false);
    }

    Group node() {
        return group;
    }

    void hide() {
        group.setVisible(false);
    }

    /** Shows the values at this share of the picture, beside the line on the side where there is room; those of the curve in front stand out. */
    void show(OverlayPicture picture, int inFront, double share, PlotArea plot) {
        double x = Math.round(plot.left() + share * plot.width()) + 0.5;
        line.setStartX(x);
        line.setEndX(x);
        line.setStartY(plot.top());
        line.setEndY(plot.bottom());
        int at = picture.stretchAt(share);
        card.getChildren().clear();
        Label when = new Label(
                texts.get("chart.reading", String.format(Locale.ROOT, "%,d", at * picture.rowsPerStretch() + 1)));
        when.getStyleClass().add("crosshair-time");
        card.add(when, 0, 0, 3, 1);
        int row = 1;
        for (OverlayPicture.Curve curve : picture.curves()) {
            row(
                    row,
                    "curve-" + (curve.colour() + 1),
                    curve.name(),
                    curve.reserved().max(at),
                    row - 1 == inFront);
            row++;
        }
        row(row, "allocated", texts.get("series.allocated"), picture.allocated().max(at), false);
        group.setVisible(true);
        card.applyCss();
        card.autosize();
        double width = card.prefWidth(-1);
        double left = x + 12 + width <= plot.right() ? x + 12 : x - 12 - width;
        card.relocate(Math.round(left), Math.round(plot.top() + 12));
    }

    private void row(int row, String style, String name, long bytes, boolean inFront) {
        Label label = new Label(name);
        label.getStyleClass().add("crosshair-name");
        Label value = new Label(ByteText.of(bytes));
        value.getStyleClass().add("crosshair-value");
        if (inFront) {
            label.getStyleClass().add("strong");
            value.getStyleClass().add("strong");
        }
        card.addRow(row, Legend.square(style), label, value);
    }
}
