package dev.lacuna.ui.window;

import atlantafx.base.theme.Styles;
import dev.lacuna.ui.settings.Bookmark;
import dev.lacuna.ui.settings.Bookmarks;
import dev.lacuna.ui.text.Texts;
import java.io.File;
import java.util.function.Consumer;
import javafx.collections.ListChangeListener;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** The moments that the operator wants to find again: each can be named, gone to and taken off. */
final class BookmarkCard extends VBox {
    private static final Texts TEXTS = Texts.of("shell");

    private final Bookmarks bookmarks;
    private final Consumer<Bookmark> go;
    private final VBox rows = new VBox();

    /** @param go shows a moment */
    BookmarkCard(Bookmarks bookmarks, Consumer<Bookmark> go, Runnable close) {
        this.bookmarks = bookmarks;
        this.go = go;
        setId("bookmarks");
        getStyleClass().addAll("card", "dialog-card", "bookmark-card");
        rows.getStyleClass().add("bookmark-rows");
        ScrollPane scroll = new ScrollPane(rows);
        scroll.getStyleClass().add("edge-to-edge");
        scroll.setFitToWidth(true);
        scroll.setHbarPolicy(ScrollPane.ScrollBarPolicy.NEVER);
        scroll.setMinHeight(0);
        VBox.setVgrow(scroll, Priority.ALWAYS);
        Button done = new Button();
        done.setId("bookmarks-done");
        done.textProperty().bind(TEXTS.bind("settings.done"));
        done.setOnAction(e -> close.run());
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        HBox buttons = new HBox(space, done);
        buttons.getStyleClass().add("buttons");
        Label how = Labels.of(TEXTS.bind("bookmarks.how"), "muted", "small");
        how.setWrapText(true);
        how.setMinHeight(Region.USE_PREF_SIZE);
        getChildren().addAll(Labels.titled(TEXTS.bind("bookmarks.title")), how, scroll, buttons);
        bookmarks.list().addListener((ListChangeListener<Bookmark>) change -> fill());
        fill();
    }

    /** Puts the cursor into the newest one's name. */
    void editNewest() {
        // A scroll pane that was never laid out has nothing in it.
        applyCss();
        layout();
        if (lookup(".bookmark-name") instanceof TextField name) {
            name.requestFocus();
            name.selectAll();
        }
    }

    private void fill() {
        if (bookmarks.list().isEmpty()) {
            rows.getChildren().setAll(Labels.of(TEXTS.bind("bookmarks.none"), "muted"));
        } else {
            rows.getChildren().setAll(bookmarks.list().stream().map(this::row).toList());
        }
    }

    private Node row(Bookmark bookmark) {
        TextField name = new TextField(bookmark.name());
        name.getStyleClass().addAll("bookmark-name", "cjk");
        name.accessibleTextProperty().bind(TEXTS.bind("bookmarks.name"));
        name.setOnAction(e -> bookmarks.rename(bookmark, name.getText()));
        name.focusedProperty().addListener((property, before, focused) -> {
            if (!focused && !name.getText().equals(bookmark.name())) {
                bookmarks.rename(bookmark, name.getText());
            }
        });
        HBox.setHgrow(name, Priority.ALWAYS);
        Label where =
                new Label(bookmark.lasts() ? new File(bookmark.subject()).getName() : TEXTS.get("bookmarks.live"));
        where.getStyleClass().addAll("muted", "small", "may-shorten", "cjk");
        where.setTooltip(new Tooltip(bookmark.subject()));
        where.setMaxWidth(160);
        Button show = new Button();
        show.getStyleClass().addAll("bookmark-go", Styles.SMALL);
        show.textProperty().bind(TEXTS.bind("bookmarks.go"));
        show.setMinWidth(Region.USE_PREF_SIZE);
        show.setOnAction(e -> go.accept(bookmark));
        Button cross = new Button(null, new FontIcon("fth-x"));
        cross.getStyleClass().addAll("bookmark-remove", Styles.BUTTON_ICON, Styles.FLAT, Styles.SMALL);
        cross.accessibleTextProperty().bind(TEXTS.bind("bookmarks.remove"));
        cross.setOnAction(e -> bookmarks.remove(bookmark));
        HBox row = new HBox(8, name, where, show, cross);
        row.setAlignment(Pos.CENTER_LEFT);
        return row;
    }
}
