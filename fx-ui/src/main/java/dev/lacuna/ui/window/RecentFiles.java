package dev.lacuna.ui.window;

import atlantafx.base.theme.Styles;
import dev.lacuna.ui.parts.Copying;
import dev.lacuna.ui.parts.FileLocation;
import dev.lacuna.ui.text.Texts;
import java.io.File;
import java.util.function.Consumer;
import javafx.beans.value.ObservableValue;
import javafx.collections.ListChangeListener;
import javafx.collections.ObservableList;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.MenuItem;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** Files that were opened before, newest first: a click opens one, the cross beside it takes it off the list. */
public final class RecentFiles extends VBox {
    private static final Texts TEXTS = Texts.of("shell");
    private static final int MOST = 6;

    private final ObservableList<String> paths;
    private final ObservableValue<String> forgetting;
    private final Consumer<String> open;
    private final Consumer<String> forget;

    /**
     * A list that follows these paths.
     *
     * @param forgetting what the cross does, for those who cannot see it
     */
    public RecentFiles(
            ObservableList<String> paths,
            ObservableValue<String> forgetting,
            Consumer<String> open,
            Consumer<String> forget) {
        this.paths = paths;
        this.forgetting = forgetting;
        this.open = open;
        this.forget = forget;
        getStyleClass().add("recent-files");
        paths.addListener((ListChangeListener<String>) change -> fill());
        fill();
    }

    private void fill() {
        getChildren().setAll(paths.stream().limit(MOST).map(this::row).toList());
    }

    private static ContextMenu menu(String path) {
        MenuItem copy = new MenuItem();
        copy.textProperty().bind(TEXTS.bind("recent.copy"));
        copy.setOnAction(e -> Copying.copy(path));
        MenuItem location = new MenuItem();
        location.textProperty().bind(TEXTS.bind("recent.location"));
        location.setDisable(!FileLocation.canOpen());
        location.setOnAction(e -> FileLocation.open(path));
        return new ContextMenu(copy, location);
    }

    private Node row(String path) {
        Hyperlink link = new Hyperlink(new File(path).getName());
        link.getStyleClass().add("mono");
        link.setTooltip(new Tooltip(path));
        link.setMaxWidth(Double.MAX_VALUE);
        HBox.setHgrow(link, Priority.ALWAYS);
        link.setOnAction(e -> open.accept(path));
        link.setContextMenu(menu(path));
        Button cross = new Button(null, new FontIcon("fth-x"));
        cross.getStyleClass().addAll(Styles.BUTTON_ICON, Styles.FLAT, Styles.SMALL);
        cross.accessibleTextProperty().bind(forgetting);
        cross.setOnAction(e -> forget.accept(path));
        HBox row = new HBox(link, cross);
        row.setAlignment(Pos.CENTER_LEFT);
        return row;
    }
}
