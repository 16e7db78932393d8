package dev.lacuna.ui.shell;

import dev.lacuna.ui.text.Texts;
import java.util.List;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.VBox;

/** The card that lists every key: those of the place in front, then those of the window. */
final class ShortcutList extends VBox {
    private static final Texts TEXTS = Texts.of("shell");

    ShortcutList(Place place, List<Shortcut> everywhere) {
        getStyleClass().addAll("card", "dialog-card");
        setId("shortcut-list");
        getChildren().add(Labels.titled(TEXTS.bind("shortcuts.title")));
        if (!place.shortcuts().isEmpty()) {
            addGroup(place.title(), place.shortcuts());
        }
        addGroup(TEXTS.bind("shortcuts.everywhere"), everywhere);
        getChildren().add(Labels.of(TEXTS.bind("shortcuts.typing"), "muted", "small"));
    }

    private void addGroup(ObservableValue<String> title, List<Shortcut> shortcuts) {
        GridPane grid = new GridPane();
        grid.getStyleClass().add("shortcut-grid");
        for (int row = 0; row < shortcuts.size(); row++) {
            Label keys = new Label(shortcuts.get(row).keys().getDisplayText());
            keys.getStyleClass().addAll("key", "mono");
            grid.addRow(row, keys, Labels.of(shortcuts.get(row).description()));
            GridPane.setHalignment(keys, Pos.CENTER_RIGHT.getHpos());
        }
        getChildren().addAll(Labels.of(title, "group-title"), grid);
    }
}
