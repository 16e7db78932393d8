package dev.lacuna.ui.window;

import dev.lacuna.ui.parts.AnyScript;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.Labeled;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;

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

    /**
     * Sets this label in a font that has Chinese whenever its text holds some: operators' commands and paths do not
     * follow the window's language.
     */
    public static <L extends Labeled> L inAnyScript(L label) {
        return AnyScript.of(label);
    }

    /** The title of a card or a dialog. */
    public static Label titled(ObservableValue<String> text) {
        return of(text, "card-title");
    }

    /** The title of a card with what acts on all of it at the other end of the line, where it stays whatever the card says. */
    public static HBox titled(ObservableValue<String> text, Node tools) {
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        HBox line = new HBox(titled(text), space, tools);
        line.setAlignment(Pos.CENTER_LEFT);
        return line;
    }
}
