package dev.lacuna.ui.parts;

import javafx.beans.binding.Bindings;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.text.Text;

/** Labels that may shorten their words, and say all of them when they do. */
public final class FullText {
    private FullText() {}

    /** Lets these say all of their words while they cannot show them: on hover, and beside them when they are pressed. */
    public static void of(Label... labels) {
        onHover(labels);
        for (Label label : labels) {
            Explanation.onRequest(label, label.textProperty());
            label.focusTraversableProperty().bind(label.tooltipProperty().isNotNull());
        }
    }

    /** Lets these say all of their words on hover while they cannot show them: in cells, where a click means the row. */
    public static void onHover(Label... labels) {
        for (Label label : labels) {
            label.getStyleClass().add("may-shorten");
            Tooltip whole = Explanation.hover(label.textProperty());
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
