package dev.lacuna.ui.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import javafx.beans.InvalidationListener;
import javafx.beans.Observable;
import javafx.css.CssMetaData;
import javafx.css.SimpleStyleableObjectProperty;
import javafx.css.Styleable;
import javafx.css.StyleableProperty;
import javafx.css.StyleablePropertyFactory;
import javafx.scene.layout.Region;
import javafx.scene.paint.Color;

/** The colours of a region as its style sheets give them, for what is drawn point by point. */
public final class SheetColours {
    private final List<StyleableProperty<Color>> colours = new ArrayList<>();

    private SheetColours() {}

    /**
     * What all regions of a class have in common: the names of their colours.
     *
     * @param <R> the class
     */
    public static final class Kind<R extends Region> {
        private final List<CssMetaData<R, Color>> named = new ArrayList<>();
        private final StyleablePropertyFactory<R> factory =
                new StyleablePropertyFactory<>(Region.getClassCssMetaData());

        /**
         * @param prefix what the style sheets' names begin with, such as {@code -chart-}
         * @param names what follows it
         * @param of finds the colours of a region
         */
        public Kind(String prefix, List<String> names, Function<R, SheetColours> of) {
            for (String name : names) {
                int index = named.size();
                named.add(factory.createColorCssMetaData(
                        prefix + name, region -> of.apply(region).colours.get(index), Color.GRAY, false));
            }
        }

        /** The colours of this region, gray before a style sheet says otherwise; calls this when one of them changes. */
        public SheetColours in(R region, Runnable onChange) {
            SheetColours found = new SheetColours();
            for (CssMetaData<R, Color> each : named) {
                StyleableProperty<Color> colour =
                        new SimpleStyleableObjectProperty<>(each, region, each.getProperty(), Color.GRAY);
                // Read at once: one that nobody has read since tells of no further change.
                ((Observable) colour).addListener((InvalidationListener) any -> {
                    colour.getValue();
                    onChange.run();
                });
                found.colours.add(colour);
            }
            return found;
        }

        /** What JavaFX asks the class for. */
        public List<CssMetaData<? extends Styleable, ?>> metaData() {
            return factory.getCssMetaData();
        }
    }

    /** The colour of the name with this index. */
    public Color get(int index) {
        return colours.get(index).getValue();
    }

    /** The same as an opaque {@code 0xAARRGGBB}. */
    public int argb(int index) {
        Color c = get(index);
        return 0xff000000
                | (int) Math.round(c.getRed() * 255) << 16
                | (int) Math.round(c.getGreen() * 255) << 8
                | (int) Math.round(c.getBlue() * 255);
    }

    /** Those from this index up to before that. */
    public int[] argb(int from, int to) {
        return IntStream.range(from, to).map(this::argb).toArray();
    }
}
