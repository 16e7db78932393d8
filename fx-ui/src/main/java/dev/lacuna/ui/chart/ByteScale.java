package dev.lacuna.ui.chart;

import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.ByteUnit;
import dev.lacuna.ui.text.Texts;

/**
 * The vertical scale in bytes, from 0 to a top that only grows: it stays until the data leaves it. Steps are powers of two, so that labels
 * are whole GiB or MiB; where figures are decimal, 1, 2 or 5 times a power of ten. It begins anew when that changes.
 */
public final class ByteScale {
    private static final int MOST_STEPS = 6;
    private static final double HEADROOM = 1.04;

    private boolean decimal = isDecimal();
    private long step = smallestStep();
    private long top = step;

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
        boolean anew = decimal != isDecimal();
        if (anew) {
            reset();
        }
        if (needed <= top) {
            return anew;
        }
        while (-Math.floorDiv(-needed, step) > MOST_STEPS) {
            // 1, 2, 5, 10: twice, but two and a half times where a 2 leads.
            step = decimal && Long.toString(step).charAt(0) == '2' ? step / 2 * 5 : step * 2;
        }
        top = -Math.floorDiv(-needed, step) * step;
        return true;
    }

    /** Forgets what it has seen, so that the next value decides anew. */
    public void reset() {
        decimal = isDecimal();
        step = smallestStep();
        top = step;
    }

    private static boolean isDecimal() {
        return Texts.wordingProperty().get().unit().isDecimal();
    }

    private long smallestStep() {
        return (decimal ? ByteUnit.MB : ByteUnit.MIB).bytes();
    }

    /** Bytes at the top of the scale. */
    public long top() {
        return top;
    }

    /** Bytes between two grid lines. */
    public long step() {
        return step;
    }

    /** What a grid line says. */
    public String label(long at) {
        return ByteText.onAxis(at, step, top);
    }

    /** Where a value lies in a picture of this height: 0 at the top, {@code height} at 0 bytes. */
    public double y(double bytes, double height) {
        return height - bytes / top * height;
    }
}
