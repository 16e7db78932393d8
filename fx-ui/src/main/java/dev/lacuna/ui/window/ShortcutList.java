package dev.lacuna.ui.window;

import dev.lacuna.ui.text.Texts;
import java.util.List;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** The card that lists every key: those of the place in front, beside them those of the window. Scrolls in a low window. */
final class ShortcutList extends VBox {
    private static final Texts TEXTS = Texts.of("shell");

    /** Half of the card; narrower, and the card would be as high as its words wrapped letter by letter. */
    private static final double COLUMN_WIDTH = 432;

    ShortcutList(Place place, List<Shortcut> everywhere) {
        getStyleClass().addAll("card", "dialog-card", "shortcut-card");
        setId("shortcut-list");
        HBox columns = new HBox();
        columns.getStyleClass().add("shortcut-columns");
        if (!place.shortcuts().isEmpty()) {
            columns.getChildren().add(group(place.title(), place.shortcuts()));
        }
        columns.getChildren().add(group(TEXTS.bind("shortcuts.everywhere"), everywhere));
        ScrollPane scroll = new ScrollPane(columns);
        scroll.setId("shortcut-scroll");
        scroll.getStyleClass().add("edge-to-edge");
        scroll.setFitToWidth(true);
        scroll.setHbarPolicy(ScrollPane.ScrollBarPolicy.NEVER);
        // The only part that gives way where the window is lower than the card.
        scroll.setMinHeight(0);
        VBox.setVgrow(scroll, Priority.ALWAYS);
        getChildren()
                .addAll(
                        Labels.titled(TEXTS.bind("shortcuts.title")),
                        scroll,
                        Labels.of(TEXTS.bind("shortcuts.typing"), "muted", "small"));
    }

    private static VBox group(ObservableValue<String> title, List<Shortcut> actions) {
        List<Shortcut> shortcuts = actions.stream().filter(Shortcut::hasKeys).toList();
        GridPane grid = new GridPane();
        grid.getStyleClass().add("shortcut-grid");
        for (int row = 0; row < shortcuts.size(); row++) {
            Label keys = new Label(shortcuts.get(row).keys().getDisplayText());
            keys.getStyleClass().addAll("key", "mono");
            keys.setMinWidth(Region.USE_PREF_SIZE);
            Label description = Labels.of(shortcuts.get(row).description());
            grid.addRow(row, keys, description);
            GridPane.setHalignment(keys, Pos.CENTER_RIGHT.getHpos());
        }
        VBox group = new VBox(Labels.of(title, "group-title"), grid);
        group.getStyleClass().add("shortcut-group");
        group.setMinWidth(0);
        group.setPrefWidth(COLUMN_WIDTH);
        HBox.setHgrow(group, Priority.ALWAYS);
        return group;
    }
}
