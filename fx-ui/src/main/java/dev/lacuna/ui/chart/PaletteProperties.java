package dev.lacuna.ui.chart;

import java.util.ArrayList;
import java.util.List;
import javafx.beans.InvalidationListener;
import javafx.css.CssMetaData;
import javafx.css.Styleable;
import javafx.css.StyleableProperty;
import javafx.css.StyleablePropertyFactory;
import javafx.scene.layout.Region;
import javafx.scene.paint.Color;

/** The colours of the timeline as style sheet properties: {@code -chart-ground}, {@code -chart-reserved} and so on. */
final class PaletteProperties {
    private static final StyleablePropertyFactory<TimelineChart> FACTORY =
            new StyleablePropertyFactory<>(Region.getClassCssMetaData());

    private final List<StyleableProperty<Color>> colours = new ArrayList<>();

    /** Adds the properties to this chart and calls this when one of them changes. */
    PaletteProperties(TimelineChart chart, Runnable onChange) {
        ChartPalette start = ChartPalette.DARK;
        add(chart, "ground", start.ground(), onChange);
        add(chart, "grid", start.grid(), onChange);
        add(chart, "reserved", start.reserved(), onChange);
        add(chart, "allocated", start.allocated(), onChange);
        add(chart, "requested", start.requested(), onChange);
        add(chart, "gap", start.gap(), onChange);
        add(chart, "hatch", start.hatch(), onChange);
        add(chart, "limit", start.limit(), onChange);
        add(chart, "mark", start.mark(), onChange);
    }

    static List<CssMetaData<? extends Styleable, ?>> cssMetaData() {
        return FACTORY.getCssMetaData();
    }

    /** The colours of now. */
    ChartPalette palette() {
        return new ChartPalette(argb(0), argb(1), argb(2), argb(3), argb(4), argb(5), argb(6), argb(7), argb(8));
    }

    private void add(TimelineChart chart, String name, int start, Runnable onChange) {
        int index = colours.size();
        StyleableProperty<Color> colour = FACTORY.createStyleableColorProperty(
                chart, name, "-chart-" + name, c -> c.palette().colours.get(index), color(start));
        colours.add(colour);
        ((javafx.beans.Observable) colour).addListener((InvalidationListener) any -> {
            colour.getValue();
            onChange.run();
        });
    }

    private int argb(int index) {
        Color c = colours.get(index).getValue();
        return 0xff000000
                | (int) Math.round(c.getRed() * 255) << 16
                | (int) Math.round(c.getGreen() * 255) << 8
                | (int) Math.round(c.getBlue() * 255);
    }

    private static Color color(int argb) {
        return Color.rgb(argb >> 16 & 0xff, argb >> 8 & 0xff, argb & 0xff);
    }
}
