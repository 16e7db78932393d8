package dev.lacuna.ui.places.recording.timeline;

import dev.lacuna.ui.chart.Pixels;

/**
 * Piles colours on each other in every column of a picture, from the bottom. What is lower than a pixel is mixed with its
 * neighbours by its share of that pixel, so that thousands of small blocks have the colour that they would have from afar.
 */
final class ColumnStacks {
    private static final double FULL = 1 - 1e-9;

    private final Pixels out;
    private final double[] heights;
    private final double[] red;
    private final double[] green;
    private final double[] blue;

    ColumnStacks(Pixels out) {
        this.out = out;
        heights = new double[out.width()];
        red = new double[out.width()];
        green = new double[out.width()];
        blue = new double[out.width()];
    }

    /** Lays so many pixels of this colour on a column. */
    void add(int x, double pixels, int colour) {
        double filled = heights[x] - Math.floor(heights[x]);
        double rest = pixels;
        if (filled > 0) {
            double part = Math.min(1 - filled, rest);
            mix(x, part, colour);
            rest -= part;
            if (filled + part < FULL) {
                heights[x] += part;
                return;
            }
            close(x, Math.floor(heights[x]));
        }
        double base = Math.rint(heights[x] + (filled > 0 ? 1 - filled : 0));
        double whole = Math.floor(rest + 1e-9);
        int bottom = out.height() - (int) base;
        out.box(x, bottom - (int) whole, x + 1, bottom, colour);
        double part = Math.max(0, rest - whole);
        heights[x] = base + whole + part;
        if (part > 0) {
            mix(x, part, colour);
        }
    }

    /** The height of a column, in pixels. */
    double height(int x) {
        return heights[x];
    }

    /** Shows the topmost pixel of every column, over what was there. */
    void finish() {
        for (int x = 0; x < heights.length; x++) {
            double filled = heights[x] - Math.floor(heights[x]);
            if (filled > 0) {
                int row = out.height() - 1 - (int) Math.floor(heights[x]);
                int alpha = (int) Math.round(filled * Pixels.OPAQUE);
                out.dot(x, row, colour(x, filled), alpha);
            }
        }
    }

    private void mix(int x, double share, int colour) {
        red[x] += share * (colour >> 16 & 0xff);
        green[x] += share * (colour >> 8 & 0xff);
        blue[x] += share * (colour & 0xff);
    }

    private void close(int x, double row) {
        out.dot(x, out.height() - 1 - (int) row, colour(x, 1), Pixels.OPAQUE);
        red[x] = 0;
        green[x] = 0;
        blue[x] = 0;
    }

    private int colour(int x, double share) {
        return 0xff000000 | part(red[x] / share) << 16 | part(green[x] / share) << 8 | part(blue[x] / share);
    }

    private static int part(double value) {
        return (int) Math.max(0, Math.min(255, Math.round(value)));
    }
}
