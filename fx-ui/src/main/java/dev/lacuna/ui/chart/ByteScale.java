package dev.lacuna.ui.chart;

import java.util.Locale;

/**
 * The vertical scale in bytes, from 0 to a top that only grows: it stays until the data leaves it. Steps are powers of
 * two, so that labels are whole GiB or MiB.
 */
public final class ByteScale {
    private static final int MOST_STEPS = 6;
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;
    private static final long SMALLEST_STEP = 1L << 20;
    private static final double HEADROOM = 1.04;

    private long step = SMALLEST_STEP;
    private long top = SMALLEST_STEP;

    /** A scale for a picture without labels: this value, if any, is at its very top. */
    public static ByteScale upTo(long value) {
        ByteScale scale = new ByteScale();
        scale.top = Math.max(1, value);
        scale.step = scale.top;
        return scale;
    }

    /** Grows until the value fits with a little room above; returns whether the scale changed. */
    public boolean fit(long value) {
        return reach((long) Math.ceil(value * HEADROOM));
    }

    /** Grows until the value fits, be it at the very top; returns whether the scale changed. */
    public boolean reach(long needed) {
        if (needed <= top) {
            return false;
        }
        while (-Math.floorDiv(-needed, step) > MOST_STEPS) {
            step *= 2;
        }
        top = -Math.floorDiv(-needed, step) * step;
        return true;
    }

    /** Forgets what it has seen, so that the next value decides anew. */
    public void reset() {
        step = SMALLEST_STEP;
        top = SMALLEST_STEP;
    }

    /** Bytes at the top of the scale. */
    public long top() {
        return top;
    }

    /** Bytes between two grid lines. */
    public long step() {
        return step;
    }

    /** What a grid line says: all in one unit with as many decimals as the step needs, so that they compare at a glance. */
    public String label(long at) {
        if (at == 0) {
            return "0";
        }
        if (top < GIB) {
            return String.format(Locale.ROOT, "%d MiB", at / MIB);
        }
        int decimals = step % GIB == 0 ? 0 : step % (GIB / 2) == 0 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + decimals + "f GiB", (double) at / GIB);
    }

    /** Where a value lies in a picture of this height: 0 at the top, {@code height} at 0 bytes. */
    public double y(double bytes, double height) {
        return height - bytes / top * height;
    }
}
