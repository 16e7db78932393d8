package dev.lacuna.ui.window;

import atlantafx.base.theme.Styles;
import dev.lacuna.ui.text.Texts;
import java.util.function.Consumer;
import javafx.beans.binding.Bindings;
import javafx.collections.ObservableList;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.VBox;

/**
 * The way into a place that opens files: what it is for, a file to open, an example, and what was opened before. Its words are
 * {@code welcome.title}, {@code welcome.what}, {@code welcome.how}, {@code open}, {@code example}, {@code recent} and {@code
 * recent.forget} of the place's bundle.
 */
public final class WelcomeCard extends MessageCard {
    private static final double RECENT_WIDTH = 460;

    /**
     * What the card offers.
     *
     * @param choose asks for a file and opens it
     * @param example opens the example
     * @param open opens the file at this path
     * @param forget takes this path off the recent ones
     */
    public record Ways(Runnable choose, Runnable example, Consumer<String> open, Consumer<String> forget) {}

    /**
     * The card of a place.
     *
     * @param place its id, with which the ids of the buttons begin
     * @param icon Ikonli code of the large icon
     * @param recent paths that were opened before, newest first
     * @param after what stands between the words and the buttons
     */
    public WelcomeCard(
            String place, Texts texts, String icon, ObservableList<String> recent, Ways ways, Node... after) {
        Label how = wrapped(texts.bind("welcome.how"));
        how.getStyleClass().add("muted");
        Button open = new IconButton(texts.bind("open"), "fth-folder", ways.choose()).named(place + "-choose");
        open.getStyleClass().add(Styles.ACCENT);
        Button example = new IconButton(texts.bind("example"), "fth-play", ways.example()).named(place + "-example");
        getChildren()
                .addAll(
                        sign(icon, "welcome-sign"),
                        Labels.titled(texts.bind("welcome.title")),
                        wrapped(texts.bind("welcome.what")),
                        how);
        getChildren().addAll(after);
        getChildren().addAll(buttons(open, example), recent(texts, recent, ways));
    }

    private static Node recent(Texts texts, ObservableList<String> paths, Ways ways) {
        VBox box = new VBox(
                Labels.of(texts.bind("recent"), "group-title"),
                new RecentFiles(paths, texts.bind("recent.forget"), ways.open(), ways.forget()));
        box.setMaxWidth(RECENT_WIDTH);
        box.getStyleClass().add("recent-traces");
        box.visibleProperty().bind(Bindings.isNotEmpty(paths));
        box.managedProperty().bind(box.visibleProperty());
        return box;
    }
}
