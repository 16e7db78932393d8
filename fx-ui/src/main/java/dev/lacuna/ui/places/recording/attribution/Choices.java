package dev.lacuna.ui.places.recording.attribution;

import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.Locale;
import javafx.beans.property.ObjectProperty;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;

/** A row of buttons of which one is down: a choice between a few. */
final class Choices extends HBox {
    private static final Texts TEXTS = Texts.of("who");

    /** Each value is called {@code prefix.name} in the texts, and its button {@code who-prefix-name}; the prefix ends in a dot. */
    <T extends Enum<T>> Choices(String prefix, List<T> values, ObjectProperty<T> chosen) {
        getStyleClass().add("choices");
        ToggleGroup group = new ToggleGroup();
        for (int i = 0; i < values.size(); i++) {
            T value = values.get(i);
            String name = value.name().toLowerCase(Locale.ROOT).replace('_', '-');
            ToggleButton button = new ToggleButton();
            button.setId("who-" + prefix.replace('.', '-') + name);
            button.textProperty().bind(TEXTS.bind(prefix + name));
            button.setToggleGroup(group);
            button.setMinWidth(Region.USE_PREF_SIZE);
            button.getStyleClass()
                    .addAll(
                            "small",
                            values.size() == 1
                                    ? ""
                                    : i == 0 ? "left-pill" : i == values.size() - 1 ? "right-pill" : "center-pill");
            button.setSelected(chosen.get() == value);
            button.setOnAction(e -> {
                button.setSelected(true); // A second click must not take the choice back.
                chosen.set(value);
            });
            chosen.addListener((property, before, now) -> button.setSelected(now == value));
            getChildren().add(button);
        }
    }
}
