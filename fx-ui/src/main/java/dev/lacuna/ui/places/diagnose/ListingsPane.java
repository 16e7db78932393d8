package dev.lacuna.ui.places.diagnose;

import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.List;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.VBox;

/** What a log of tables says, where it holds no report: each as bars, what follows from it, and what to do next. */
final class ListingsPane extends ScrollPane {
    private static final Texts TEXTS = Texts.of("diagnose");

    private final DiagnoseViewModel model;
    private final VBox cards = new VBox();

    ListingsPane(DiagnoseViewModel model) {
        this.model = model;
        setId("listings");
        getStyleClass().addAll("edge-to-edge", "verdict-scroll");
        setFitToWidth(true);
        setHbarPolicy(ScrollBarPolicy.NEVER);
        cards.getStyleClass().addAll("cards", "place-content");
        setContent(cards);
        model.listingsProperty().addListener((property, before, now) -> show(now));
        show(model.listingsProperty().get());
    }

    private void show(List<ListingWords> listings) {
        cards.getChildren().setAll(Labels.titled(TEXTS.bind("listings.title")));
        for (ListingWords words : listings) {
            cards.getChildren().add(new ListingCard(words.picture()));
            words.findings().forEach(finding -> cards.getChildren().add(new FindingCard(finding)));
            for (int i = 0; i < words.next().size(); i++) {
                cards.getChildren().add(new RemedyCard(i + 1, words.next().get(i), model));
            }
        }
    }
}
