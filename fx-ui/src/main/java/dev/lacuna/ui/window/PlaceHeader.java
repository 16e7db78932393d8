package dev.lacuna.ui.window;

import dev.lacuna.ui.parts.FullText;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;

/** The first line of a place: its name, a quiet word beside it, and what belongs to the whole place at the right. */
public final class PlaceHeader extends HBox {
    public PlaceHeader(ObservableValue<String> title, ObservableValue<String> subtitle, Node... trailing) {
        Label name = Labels.of(title, "place-title");
        name.setMinWidth(Region.USE_PREF_SIZE);
        Label quiet = Labels.inAnyScript(Labels.of(subtitle, "muted"));
        FullText.of(quiet);
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        getStyleClass().add("place-header");
        setAlignment(Pos.CENTER_LEFT);
        getChildren().addAll(name, quiet, space);
        getChildren().addAll(trailing);
    }
}
