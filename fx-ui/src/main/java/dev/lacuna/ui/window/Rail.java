package dev.lacuna.ui.window;

import java.util.List;
import javafx.geometry.Pos;
import javafx.scene.control.ContentDisplay;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** The places, one below the other, at the left edge; more than fit can be scrolled to. */
final class Rail extends ScrollPane {
    private final ToggleGroup group = new ToggleGroup();
    private final VBox buttons = new VBox();

    Rail(List<Place> places, Navigator navigator) {
        getStyleClass().add("rail-room");
        setHbarPolicy(ScrollBarPolicy.NEVER);
        setVbarPolicy(ScrollBarPolicy.NEVER);
        setFitToWidth(true);
        setFitToHeight(true);
        setFocusTraversable(false);
        buttons.getStyleClass().add("rail");
        buttons.setAlignment(Pos.TOP_CENTER);
        for (int i = 0; i < places.size(); i++) {
            buttons.getChildren().add(button(places.get(i), i + 1, navigator));
        }
        setContent(buttons);
        viewportBoundsProperty().addListener((property, before, now) -> {
            if (group.getSelectedToggle() instanceof ToggleButton front) {
                reveal(front);
            }
        });
    }

    /** Scrolls as far as a button needs to be seen. */
    private void reveal(ToggleButton button) {
        double beyond = buttons.getHeight() - getViewportBounds().getHeight();
        if (beyond <= 0) {
            return;
        }
        double top = getVvalue() * beyond;
        double first = button.getBoundsInParent().getMinY();
        double last = button.getBoundsInParent().getMaxY() - getViewportBounds().getHeight();
        setVvalue(Math.max(last, Math.min(first, top)) / beyond);
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
                reveal(button);
            }
        });
        button.focusedProperty().addListener((property, before, now) -> {
            if (now) {
                reveal(button);
            }
        });
        return button;
    }
}
