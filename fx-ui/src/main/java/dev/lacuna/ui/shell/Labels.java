package dev.lacuna.ui.shell;

import javafx.beans.value.ObservableValue;
import javafx.scene.control.Label;

/** Labels whose words follow the language. */
public final class Labels {
    private Labels() {}

    /** A label that follows this text, with these style classes. */
    public static Label of(ObservableValue<String> text, String... styleClasses) {
        Label label = new Label();
        label.textProperty().bind(text);
        label.getStyleClass().addAll(styleClasses);
        return label;
    }

    /** The title of a card or a dialog. */
    public static Label titled(ObservableValue<String> text) {
        return of(text, "card-title");
    }
}
