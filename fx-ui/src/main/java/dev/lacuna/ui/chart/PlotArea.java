package dev.lacuna.ui.chart;

/**
 * Where the picture lies in its chart, in units of the scene.
 *
 * @param left of it lie the labels of the vertical axis
 * @param top its upper edge
 * @param width of the picture
 * @param height of the picture
 */
public record PlotArea(double left, double top, double width, double height) {
    /** Its right edge. */
    public double right() {
        return left + width;
    }

    /** Its lower edge. */
    public double bottom() {
        return top + height;
    }

    /** The share of the width at which x lies, kept within 0 … 1. */
    public double share(double x) {
        return width <= 0 ? 0 : Math.max(0, Math.min(1, (x - left) / width));
    }

    /** Whether a place lies in it, edges included. */
    public boolean contains(double x, double y) {
        return x >= left && x <= right() && y >= top && y <= bottom();
    }
}
