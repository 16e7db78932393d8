package dev.lacuna.ui.places.diagnose;

import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Pane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** A table of memory as bars: a name, a bar to scale, and how much. */
final class ListingCard extends VBox {
    private static final double NAME = 260;
    private static final double SIZE = 90;

    ListingCard(ListingPicture picture) {
        getStyleClass().addAll("card", "listing");
        Label title = new Label(picture.title());
        title.getStyleClass().add("strong");
        getChildren().add(title);
        picture.bars().forEach(bar -> getChildren().add(row(bar)));
        if (!picture.rest().isEmpty()) {
            Label rest = new Label(picture.rest());
            rest.getStyleClass().add("muted");
            getChildren().add(rest);
        }
    }

    private static HBox row(ListingPicture.Bar bar) {
        Label name = new Label(bar.name());
        name.setPrefWidth(NAME);
        name.setMinWidth(0);
        name.setTooltip(new Tooltip(bar.name()));
        Label size = new Label(bar.size());
        size.getStyleClass().add("listing-size");
        size.setPrefWidth(SIZE);
        size.setMinWidth(Region.USE_PREF_SIZE);
        size.setTooltip(new Tooltip(bar.exact()));
        Bar drawn = new Bar(bar);
        HBox.setHgrow(drawn, Priority.ALWAYS);
        HBox row = new HBox(name, drawn, size);
        row.getStyleClass().add("listing-row");
        return row;
    }

    /** What is held, and over it what of that is in use. */
    private static final class Bar extends Pane {
        private final ListingPicture.Bar bar;
        private final Region held = new Region();
        private final Region used = new Region();

        Bar(ListingPicture.Bar bar) {
            this.bar = bar;
            held.getStyleClass().add("listing-held");
            used.getStyleClass().add("listing-used");
            getStyleClass().add("listing-bar");
            setMinWidth(0);
            getChildren().addAll(held, used);
        }

        @Override
        protected void layoutChildren() {
            held.resizeRelocate(0, 0, getWidth() * bar.share(), getHeight());
            used.resizeRelocate(0, 0, getWidth() * bar.used(), getHeight());
        }
    }
}
