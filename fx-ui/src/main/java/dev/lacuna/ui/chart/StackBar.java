package dev.lacuna.ui.chart;

import java.util.ArrayList;
import java.util.List;
import javafx.scene.layout.Region;

/**
 * A bar whose length is a total and whose pieces are its parts, from the left; what no part takes stays empty. Parts
 * are regions with the style classes {@code part} and their own, so that style sheets colour them. A part that is not
 * zero is never thinner than it can be seen.
 */
public final class StackBar extends Region {
    private static final double THINNEST = 2;

    private final List<Region> parts = new ArrayList<>();
    private final long[] values;
    private long total = 1;

    /** A bar with one part for each style class. */
    public StackBar(String... styleClasses) {
        getStyleClass().add("stack-bar");
        values = new long[styleClasses.length];
        for (String styleClass : styleClasses) {
            Region part = new Region();
            part.getStyleClass().addAll("part", styleClass);
            part.setManaged(false);
            parts.add(part);
        }
        getChildren().addAll(parts);
        setMinHeight(10);
        setPrefHeight(10);
    }

    /** Shows these values out of a total; negative ones count as 0. Nothing happens when they are what is shown. */
    public void show(long newTotal, long... newValues) {
        boolean changed = newTotal != total;
        total = Math.max(1, newTotal);
        for (int i = 0; i < values.length; i++) {
            long value = Math.max(0, newValues[i]);
            changed |= value != values[i];
            values[i] = value;
        }
        if (changed) {
            place();
        }
    }

    @Override
    protected void layoutChildren() {
        place();
    }

    /** Parts are unmanaged: a new value moves them and nothing else. */
    private void place() {
        double x = 0;
        for (int i = 0; i < values.length; i++) {
            double width = values[i] == 0 ? 0 : Math.max(THINNEST, getWidth() * values[i] / total);
            width = Math.max(0, Math.min(width, getWidth() - x));
            Region part = parts.get(i);
            part.setVisible(width > 0);
            part.resizeRelocate(x, 0, width, getHeight());
            x += width;
        }
    }
}
