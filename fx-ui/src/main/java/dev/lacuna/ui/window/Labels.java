package dev.lacuna.ui.window;

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
    /** CJK radicals and everything behind them in Unicode. */
    private static final int FIRST_CJK = 0x2E80;

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
        Runnable choose = () -> {
            boolean chinese =
                    label.getText() != null && label.getText().codePoints().anyMatch(c -> c >= FIRST_CJK);
            label.getStyleClass().removeAll("cjk");
            if (chinese) {
                label.getStyleClass().add("cjk");
            }
        };
        label.textProperty().addListener((property, before, now) -> choose.run());
        choose.run();
        return label;
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
