package dev.lacuna.ui.window;

import atlantafx.base.theme.Styles;
import dev.lacuna.ui.text.Texts;
import javafx.beans.binding.BooleanBinding;
import javafx.scene.control.Button;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import org.kordamp.ikonli.javafx.FontIcon;

/**
 * Takes the last change of a process back, and does it again; each only while that is possible. While the answer is awaited it is for
 * neither: then the pair holds the keyboard, lest it go on to the next button, which may change the process.
 */
public final class UndoButtons extends HBox {
    private static final Texts TEXTS = Texts.of("shell");

    /**
     * One of the two.
     *
     * @param able whether it would do anything
     * @param action does it
     */
    public record Way(BooleanBinding able, Runnable action) {}

    /** @param id what the buttons' ids begin with */
    public UndoButtons(String id, Way undo, Way redo) {
        getChildren()
                .addAll(
                        button(id + "-undo", "undo", "fth-rotate-ccw", undo),
                        button(id + "-redo", "redo", "fth-rotate-cw", redo));
        getStyleClass().add("undo-buttons");
        setMinWidth(Region.USE_PREF_SIZE);
    }

    private Button button(String id, String key, String icon, Way way) {
        Button button = new Button(null, new FontIcon(icon));
        button.setId(id);
        button.getStyleClass().addAll(Styles.FLAT, Styles.BUTTON_ICON, Styles.SMALL);
        button.accessibleTextProperty().bind(TEXTS.bind(key));
        Tooltip what = new Tooltip();
        what.textProperty().bind(TEXTS.bind(key));
        button.setTooltip(what);
        button.setMinWidth(Region.USE_PREF_SIZE);
        button.disableProperty().bind(way.able().not());
        button.setOnAction(e -> press(button, way.action()));
        button.disabledProperty().addListener((property, before, disabled) -> {
            if (!disabled) {
                takeOver(button);
            }
        });
        return button;
    }

    private void press(Button button, Runnable action) {
        requestFocus();
        action.run();
        if (!button.isDisabled()) {
            takeOver(button);
        }
    }

    private void takeOver(Button button) {
        if (isFocused()) {
            button.requestFocus();
        }
    }
}
