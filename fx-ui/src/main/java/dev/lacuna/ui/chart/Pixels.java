package dev.lacuna.ui.chart;

import java.util.Arrays;

/**
 * A picture of opaque pixels, {@code 0xAARRGGBB} in rows from the top, with the few strokes that a timeline needs.
 * Alphas run from 0 (nothing) to 256 (covers). Strokes outside the picture are cut off.
 */
public final class Pixels {
    /** Covers what is below. */
    public static final int OPAQUE = 256;

    private final int width;
    private final int height;
    private final int[] argb;

    /** A picture over this array of at least {@code width × height} words, which the caller may also show. */
    public Pixels(int width, int height, int[] argb) {
        if (argb.length < width * height) {
            throw new IllegalArgumentException(width + " x " + height + " pixels need more than " + argb.length);
        }
        this.width = width;
        this.height = height;
        this.argb = argb;
    }

    public int width() {
        return width;
    }

    public int height() {
        return height;
    }

    /** The colour of one pixel. */
    public int at(int x, int y) {
        return argb[y * width + x];
    }

    /** Covers everything. */
    public void clear(int colour) {
        Arrays.fill(argb, 0, width * height, colour);
    }

    /** Covers a box; what lies outside the picture is cut off. */
    public void box(int left, int top, int right, int bottom, int colour) {
        int from = Math.max(0, left);
        int to = Math.min(width, right);
        for (int y = Math.max(0, top); y < Math.min(height, bottom) && from < to; y++) {
            Arrays.fill(argb, y * width + from, y * width + to, colour);
        }
    }

    /** Blends one pixel. */
    public void dot(int x, int y, int colour, int alpha) {
        if (x >= 0 && x < width && y >= 0 && y < height) {
            int i = y * width + x;
            argb[i] = blend(argb[i], colour, alpha);
        }
    }

    /** Blends a row from edge to edge; every {@code period} pixels the last {@code pause} are left out. */
    public void row(int y, int colour, int alpha, int period, int pause) {
        for (int x = 0; x < width; x++) {
            if (x % period < period - pause) {
                dot(x, y, colour, alpha);
            }
        }
    }

    /** Blends a column of pixels from {@code top} to {@code bottom} (exclusive); periods as for a row. */
    public void column(int x, int top, int bottom, int colour, int alpha, int period, int pause) {
        for (int y = Math.max(0, top); y < Math.min(height, bottom); y++) {
            if (y % period < period - pause) {
                dot(x, y, colour, alpha);
            }
        }
    }

    /** Blends a column between two heights with soft ends: a pixel that is covered in part is blended in part. */
    public void span(int x, double top, double bottom, int colour, int alpha) {
        double from = Math.max(0, top);
        double to = Math.min(height, bottom);
        if (x < 0 || x >= width || to <= from) {
            return;
        }
        int first = (int) from;
        int last = (int) Math.ceil(to) - 1;
        if (first == last) {
            dot(x, first, colour, (int) Math.round((to - from) * alpha));
            return;
        }
        dot(x, first, colour, (int) Math.round((first + 1 - from) * alpha));
        int i = (first + 1) * width + x;
        for (int y = first + 1; y < last; y++, i += width) {
            argb[i] = blend(argb[i], colour, alpha);
        }
        dot(x, last, colour, (int) Math.round((to - last) * alpha));
    }

    /** A colour over another one. */
    public static int blend(int under, int over, int alpha) {
        if (alpha >= OPAQUE) {
            return over;
        }
        int keep = OPAQUE - alpha;
        int redBlue = ((under & 0xff00ff) * keep + (over & 0xff00ff) * alpha) >>> 8;
        int green = ((under & 0x00ff00) * keep + (over & 0x00ff00) * alpha) >>> 8;
        return 0xff000000 | (redBlue & 0xff00ff) | (green & 0x00ff00);
    }
}
