package dev.lacuna.ui.parts;

import javafx.beans.binding.Bindings;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.text.Text;

/** Labels that may shorten their words, and say all of them on hover when they do. */
public final class FullText {
    private static final double WIDTH = 480;

    private FullText() {}

    /** Lets these say all of their words on hover while they cannot show them. */
    public static void onHover(Label... labels) {
        for (Label label : labels) {
            label.getStyleClass().add("may-shorten");
            Tooltip whole = new Tooltip();
            whole.textProperty().bind(label.textProperty());
            whole.setWrapText(true);
            whole.setMaxWidth(WIDTH);
            label.tooltipProperty()
                    .bind(Bindings.createObjectBinding(
                            () -> isCutOff(label) ? whole : null,
                            label.textProperty(),
                            label.widthProperty(),
                            label.fontProperty()));
        }
    }

    private static boolean isCutOff(Label label) {
        Text ruler = new Text(label.getText());
        ruler.setFont(label.getFont());
        return ruler.getLayoutBounds().getWidth() > label.getWidth();
    }
}
