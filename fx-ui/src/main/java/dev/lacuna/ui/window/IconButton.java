package dev.lacuna.ui.window;

import javafx.beans.value.ObservableValue;
import javafx.scene.control.Button;
import javafx.scene.layout.Region;
import org.kordamp.ikonli.javafx.FontIcon;

/** A button of an icon and words that follow the language; never narrower than its words. */
public final class IconButton extends Button {
    /**
     * A button that does this when it is pressed.
     *
     * @param icon Ikonli code, such as {@code fth-folder}
     */
    public IconButton(ObservableValue<String> text, String icon, Runnable action) {
        super(null, new FontIcon(icon));
        textProperty().bind(text);
        setMinWidth(Region.USE_PREF_SIZE);
        setOnAction(e -> action.run());
    }

    /** The same button, found by this id. */
    public IconButton named(String id) {
        setId(id);
        return this;
    }
}
