package dev.lacuna.ui.chart;

/** Where the picture lies in its chart, in units of the scene. */
record PlotArea(double left, double top, double width, double height) {
    double right() {
        return left + width;
    }

    double bottom() {
        return top + height;
    }

    /** The share of the width at which x lies, kept within 0 … 1. */
    double share(double x) {
        return width <= 0 ? 0 : Math.max(0, Math.min(1, (x - left) / width));
    }

    boolean contains(double x, double y) {
        return x >= left && x <= right() && y >= top && y <= bottom();
    }
}
