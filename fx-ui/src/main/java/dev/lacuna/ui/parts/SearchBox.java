package dev.lacuna.ui.parts;

import dev.lacuna.ui.text.Texts;
import javafx.scene.Node;
import javafx.scene.control.Skin;
import org.controlsfx.control.SearchableComboBox;
import org.controlsfx.control.textfield.CustomTextField;
import org.kordamp.ikonli.javafx.FontIcon;

/**
 * A choice between many names: while its list is open, what is typed narrows it to those that hold each of these words.
 *
 * @param <T> the choices
 */
public final class SearchBox<T> extends SearchableComboBox<T> {
    private static final Texts TEXTS = Texts.of("parts");

    @Override
    protected Skin<?> createDefaultSkin() {
        Skin<?> skin = super.createDefaultSkin();
        for (Node child : getChildren()) {
            if (child instanceof CustomTextField field) {
                // ControlsFX's own speaks no Chinese, and has an icon that dark ground swallows.
                field.promptTextProperty().bind(TEXTS.bind("search.prompt"));
                field.accessibleTextProperty().bind(TEXTS.bind("search.prompt"));
                field.setLeft(new FontIcon("fth-search"));
            } else {
                child.accessibleTextProperty().bind(accessibleTextProperty());
            }
        }
        return skin;
    }
}
