package dev.lacuna.ui.parts;

import java.util.function.Function;
import javafx.beans.value.ObservableValue;
import javafx.scene.control.ComboBox;
import javafx.scene.control.ListCell;

/** Names of choices that follow the language of the window. */
public final class ChoiceText {
    private ChoiceText() {}

    /** Lets this box name its choices so. */
    public static <T> void name(ComboBox<T> box, Function<T, ObservableValue<String>> names) {
        box.setCellFactory(list -> new Cell<>(names));
        box.setButtonCell(new Cell<>(names));
    }

    private static final class Cell<T> extends ListCell<T> {
        private final Function<T, ObservableValue<String>> names;

        Cell(Function<T, ObservableValue<String>> names) {
            this.names = names;
        }

        @Override
        protected void updateItem(T item, boolean empty) {
            super.updateItem(item, empty);
            textProperty().unbind();
            if (empty || item == null) {
                setText(null);
            } else {
                textProperty().bind(names.apply(item));
            }
        }
    }
}
