package dev.lacuna.ui.places.recording.attribution;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import javafx.beans.InvalidationListener;
import javafx.beans.Observable;
import javafx.css.CssMetaData;
import javafx.css.Styleable;
import javafx.css.StyleableProperty;
import javafx.css.StyleablePropertyFactory;
import javafx.scene.layout.Region;
import javafx.scene.paint.Color;

/** The colours of a flame graph as style sheet properties: {@code -flame-ground}, {@code -flame-1} … {@code -flame-6} and so on. */
final class FlameColours {
    private static final StyleablePropertyFactory<FlameChart> FACTORY =
            new StyleablePropertyFactory<>(Region.getClassCssMetaData());

    /** Hues for the program's own files. */
    static final int HUES = 6;

    private static final List<String> NAMES =
            List.of("ground", "text", "library", "others", "selected", "hovered", "1", "2", "3", "4", "5", "6");

    private final List<StyleableProperty<Color>> colours = new ArrayList<>();

    FlameColours(FlameChart chart, Runnable onChange) {
        for (String name : NAMES) {
            int index = colours.size();
            StyleableProperty<Color> colour = FACTORY.createStyleableColorProperty(
                    chart, name, "-flame-" + name, c -> c.colours().colours.get(index), Color.GRAY);
            colours.add(colour);
            ((Observable) colour).addListener((InvalidationListener) any -> {
                colour.getValue();
                onChange.run();
            });
        }
    }

    static List<CssMetaData<? extends Styleable, ?>> cssMetaData() {
        return FACTORY.getCssMetaData();
    }

    Color ground() {
        return colour("ground");
    }

    Color text() {
        return colour("text");
    }

    /** Boxes of libraries. */
    Color library() {
        return colour("library");
    }

    /** Boxes that are several small ones. */
    Color others() {
        return colour("others");
    }

    /** The edge of what is selected. */
    Color selected() {
        return colour("selected");
    }

    /** The edge of what is under the pointer. */
    Color hovered() {
        return colour("hovered");
    }

    /** The colour of one of the hues; without one, of libraries. */
    Color of(OptionalInt hue) {
        return hue.isPresent() ? colour(Integer.toString(1 + hue.getAsInt())) : library();
    }

    private Color colour(String name) {
        return colours.get(NAMES.indexOf(name)).getValue();
    }
}
