package dev.lacuna.ui.places.diagnose;

import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;

/** What the colours of the bar mean, with figures: pieces may be too narrow for words. */
final class BarLegend extends FlowPane {
    private static final Texts TEXTS = Texts.of("diagnose");

    BarLegend() {
        getStyleClass().add("bar-legend");
    }

    void show(CardPicture picture) {
        getChildren().clear();
        for (CardPicture.Piece piece : picture.pieces()) {
            String style = piece.kind().style();
            add(style, TEXTS.get("piece." + style), piece.bytes());
        }
        picture.neededBytes().ifPresent(bytes -> add("needed", TEXTS.get("piece.needed"), bytes));
    }

    private void add(String style, String name, long bytes) {
        Region mark = new Region();
        mark.getStyleClass().addAll("legend-mark", style);
        Label what = new Label(name);
        what.getStyleClass().add("muted");
        Label figure = new Label(ByteText.of(bytes));
        figure.getStyleClass().add("strong");
        figure.setTooltip(new Tooltip(name + "\n" + ByteText.exact(bytes)));
        HBox entry = new HBox(mark, what, figure);
        entry.getStyleClass().add("legend-entry");
        entry.setAlignment(Pos.CENTER_LEFT);
        getChildren().add(entry);
    }
}
