package dev.lacuna.ui.places.recording.timeline;

import dev.lacuna.ui.chart.PlotArea;

/**
 * Where the pictures of the timeline lie, one below the other.
 *
 * @param width of all together, in units of the scene
 * @param height of all together
 * @param rows of bars of steps and phases
 * @param pixelScale pixels of the screen in a unit
 */
record TimelineAreas(double width, double height, int rows, double pixelScale) {
    /** Height of the strip below a picture in which the times stand. */
    static final double AXIS = 20;

    private static final double LEFT = 64;
    private static final double RIGHT = 16;
    private static final double OVERVIEW = 34;
    private static final double BAR = 14;
    private static final double GAP = 6;
    private static final double MEMORY_SHARE = 0.58;
    private static final double LEAST_PICTURE = 40;

    /** What is left and right of the pictures. */
    static final double MARGINS = LEFT + RIGHT;

    /** Less than this the pictures and their axes cannot do with. */
    static final double LEAST_HEIGHT = OVERVIEW + AXIS + 2 * LEAST_PICTURE + 3 * GAP;

    PlotArea overview() {
        return area(0, OVERVIEW);
    }

    PlotArea bars() {
        return area(overview().bottom() + GAP, rows * BAR);
    }

    PlotArea memory() {
        double top = bars().height() == 0 ? bars().top() : bars().bottom() + 2;
        return area(top, Math.max(1, (height - top - AXIS - GAP) * MEMORY_SHARE));
    }

    PlotArea lives() {
        double top = memory().bottom() + AXIS;
        return area(top, Math.max(1, height - top - GAP));
    }

    /** The column of pixels at this x, from 0 at the left edge of the pictures. */
    double column(double x) {
        return Math.floor((x - LEFT) * pixelScale);
    }

    /** So many pixels of the screen, at least one. */
    int pixels(double length) {
        return Math.max(1, (int) Math.round(length * pixelScale));
    }

    private PlotArea area(double top, double height) {
        return new PlotArea(LEFT, top, Math.max(1, width - LEFT - RIGHT), height);
    }
}
