package dev.lacuna.ui.places.recording.attribution;

import dev.lacuna.ui.parts.Segments;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.Locale;
import javafx.beans.property.ObjectProperty;
import javafx.scene.layout.Region;

/** Choices between a few ways to look at the blocks of a recording. */
final class Choices {
    private static final Texts TEXTS = Texts.of("who");

    private Choices() {}

    /** Each value is called {@code prefix.name} in the texts, and its button {@code who-prefix-name}; the prefix ends in a dot. */
    static <T extends Enum<T>> Segments<T> of(String prefix, List<T> values, ObjectProperty<T> chosen) {
        Segments<T> choice = new Segments<>(values, chosen);
        choice.getStyleClass().add("small");
        choice.setMinWidth(Region.USE_PREF_SIZE);
        for (T value : values) {
            String name = value.name().toLowerCase(Locale.ROOT).replace('_', '-');
            choice.name(value, "who-" + prefix.replace('.', '-') + name, TEXTS.bind(prefix + name));
        }
        return choice;
    }
}
