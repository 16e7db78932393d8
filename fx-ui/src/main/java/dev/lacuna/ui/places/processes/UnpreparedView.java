package dev.lacuna.ui.places.processes;

import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import javafx.beans.InvalidationListener;
import javafx.beans.binding.Bindings;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;

/** Processes that were not prepared, a card each; nothing at all where there are none. */
final class UnpreparedView extends VBox {
    private static final Texts TEXTS = Texts.of("processes");

    private final UnpreparedModel model;
    private final VBox cards = new VBox();

    UnpreparedView(UnpreparedModel model) {
        this.model = model;
        getStyleClass().add("section");
        setId("processes-unprepared");
        cards.getStyleClass().add("unprepared-cards");
        HBox title = new HBox(
                Labels.of(TEXTS.bind("unprepared.title"), "section-title"),
                Labels.of(TEXTS.bind("unprepared.subtitle"), "muted"));
        title.getStyleClass().add("section-header");
        getChildren().addAll(title, cards);
        visibleProperty().bind(Bindings.isNotEmpty(model.found()));
        managedProperty().bind(visibleProperty());
        InvalidationListener anew = any -> show();
        model.found().addListener(anew);
        model.pendingProperty().addListener(anew);
        Texts.wordingProperty().addListener(anew);
        show();
    }

    private void show() {
        cards.getChildren()
                .setAll(model.found().stream()
                        .map(process -> new UnpreparedCell(process, model))
                        .toList());
    }
}
