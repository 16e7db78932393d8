package dev.lacuna.ui.places.recording.timeline;

import java.util.ArrayList;
import java.util.List;
import javafx.beans.InvalidationListener;
import javafx.beans.Observable;
import javafx.css.CssMetaData;
import javafx.css.Styleable;
import javafx.css.StyleableProperty;
import javafx.css.StyleablePropertyFactory;
import javafx.scene.layout.Region;
import javafx.scene.paint.Color;

/** The colours of the pictures as style sheet properties: {@code -timeline-ground}, {@code -timeline-block-1} and so on. */
final class TimelineColours {
    /** Colours of blocks. */
    static final int BLOCKS = 8;

    private static final List<String> NAMES = List.of(
            "ground",
            "grid",
            "reserved",
            "allocated",
            "rounding",
            "pending",
            "split",
            "hatch",
            "releasable",
            "alarm",
            "mark",
            "other",
            "accent");

    private static final StyleablePropertyFactory<TimelineCharts> FACTORY =
            new StyleablePropertyFactory<>(Region.getClassCssMetaData());

    private final List<StyleableProperty<Color>> colours = new ArrayList<>();

    /** Adds the properties to the charts and calls this when one of them changes. */
    TimelineColours(TimelineCharts charts, Runnable onChange) {
        NAMES.forEach(name -> add(charts, name, onChange));
        for (int i = 1; i <= BLOCKS; i++) {
            add(charts, "block-" + i, onChange);
        }
    }

    static List<CssMetaData<? extends Styleable, ?>> cssMetaData() {
        return FACTORY.getCssMetaData();
    }

    /** The colours of now. */
    TimelinePalette palette() {
        int[] blocks = new int[BLOCKS];
        for (int i = 0; i < BLOCKS; i++) {
            blocks[i] = argb(NAMES.size() + i);
        }
        return new TimelinePalette(
                argb(0), argb(1), argb(2), argb(3), argb(4), argb(5), argb(6), argb(7), argb(8), argb(9), argb(10),
                argb(11), argb(12), blocks);
    }

    private void add(TimelineCharts charts, String name, Runnable onChange) {
        int index = colours.size();
        StyleableProperty<Color> colour = FACTORY.createStyleableColorProperty(
                charts, name, "-timeline-" + name, c -> c.colours().colours.get(index), Color.GRAY);
        colours.add(colour);
        ((Observable) colour).addListener((InvalidationListener) any -> {
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
}
