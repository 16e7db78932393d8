package dev.lacuna.ui.chart;

import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.Locale;
import javafx.scene.control.Label;

/** The vertical line under the pointer with the values of every run at that row. */
final class OverlayCrosshair extends PointerLine {
    private final Texts texts;

    OverlayCrosshair(Texts texts) {
        this.texts = texts;
    }

    /** Shows the values at this share of the picture, beside the line on the side where there is room; those of the curve in front stand out. */
    void show(OverlayPicture picture, int inFront, double share, PlotArea plot) {
        double x = Math.round(plot.left() + share * plot.width()) + 0.5;
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
        show(x, plot);
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
