package dev.lacuna.ui.blockmap;

import java.util.ArrayList;
import java.util.List;
import javafx.beans.InvalidationListener;
import javafx.css.CssMetaData;
import javafx.css.Styleable;
import javafx.css.StyleableProperty;
import javafx.css.StyleablePropertyFactory;
import javafx.scene.layout.Region;
import javafx.scene.paint.Color;

/** The palette as style sheet properties: {@code -blocks-ground}, {@code -blocks-category-1} and so on. */
final class BlockPaletteProperties {
    private static final StyleablePropertyFactory<BlockMapView> FACTORY =
            new StyleablePropertyFactory<>(Region.getClassCssMetaData());

    private final List<StyleableProperty<Color>> colours = new ArrayList<>();

    BlockPaletteProperties(BlockMapView view, Runnable onChange) {
        for (String name : BlockPalette.NAMES) {
            int index = colours.size();
            StyleableProperty<Color> colour = FACTORY.createStyleableColorProperty(
                    view, name, "-blocks-" + name, v -> v.palette().colours.get(index), Color.GRAY);
            colours.add(colour);
            ((javafx.beans.Observable) colour).addListener((InvalidationListener) any -> {
                colour.getValue();
                onChange.run();
            });
        }
    }

    static List<CssMetaData<? extends Styleable, ?>> cssMetaData() {
        return FACTORY.getCssMetaData();
    }

    /** The colours of now. */
    BlockPalette palette() {
        return new BlockPalette(
                colours.stream().mapToInt(colour -> argb(colour.getValue())).toArray());
    }

    private static int argb(Color c) {
        return 0xff000000
                | (int) Math.round(c.getRed() * 255) << 16
                | (int) Math.round(c.getGreen() * 255) << 8
                | (int) Math.round(c.getBlue() * 255);
    }
}
