package dev.lacuna.ui.window;

import java.util.List;
import javafx.geometry.Pos;
import javafx.scene.control.ContentDisplay;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** The places, one below the other, at the left edge. */
final class Rail extends VBox {
    private final ToggleGroup group = new ToggleGroup();

    Rail(List<Place> places, Navigator navigator) {
        getStyleClass().add("rail");
        setAlignment(Pos.TOP_CENTER);
        for (int i = 0; i < places.size(); i++) {
            getChildren().add(button(places.get(i), i + 1, navigator));
        }
    }

    private ToggleButton button(Place place, int number, Navigator navigator) {
        ToggleButton button = new ToggleButton();
        button.setId("rail-" + place.id());
        button.getStyleClass().setAll("rail-button");
        button.setGraphic(new FontIcon(place.icon()));
        button.setContentDisplay(ContentDisplay.TOP);
        button.textProperty().bind(place.title());
        button.setToggleGroup(group);
        button.setMaxWidth(Double.MAX_VALUE);
        Tooltip tooltip = new Tooltip();
        tooltip.textProperty().bind(place.title().concat("  Ctrl+" + number));
        button.setTooltip(tooltip);
        // A click on the place in front must not unselect it.
        button.setOnAction(e -> {
            button.setSelected(true);
            navigator.show(place.id());
        });
        navigator.currentProperty().addListener((property, before, now) -> {
            if (now.equals(place.id())) {
                button.setSelected(true);
            }
        });
        return button;
    }
}
