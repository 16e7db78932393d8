package dev.lacuna.ui.text;

import dev.lacuna.core.base.ByteSize;
import java.util.Locale;

/** The one way in which the window writes bytes: in the unit that the operator chose, else as the command line does. */
public final class ByteText {
    /** Decimals beyond which no step of an axis needs any. */
    private static final int MOST_DECIMALS = 4;

    private ByteText() {}

    /** In the unit that is chosen, else in the one that fits: {@code 2.73 GiB}, {@code 184 MiB} or {@code 17 B}. */
    public static String of(long bytes) {
        return Texts.unit().write(bytes);
    }

    /**
     * In the unit that is chosen, else in this one: for live figures, which keep their width.
     *
     * @param otherwise one of a device's; of GiB, less than one is written in MiB: hundredths would call 4 MiB nothing
     */
    public static String of(long bytes, ByteUnit otherwise) {
        if (Texts.unit() != ByteUnit.FITTING) {
            return of(bytes);
        }
        ByteUnit unit = otherwise == ByteUnit.GIB && Math.abs(bytes) < ByteUnit.GIB.bytes() ? ByteUnit.MIB : otherwise;
        return String.format(
                Locale.ROOT, unit == ByteUnit.GIB ? "%.2f %s" : "%.0f %s", (double) bytes / unit.bytes(), unit.label());
    }

    /**
     * A grid line of an axis: all in one unit, with as many decimals as the step needs, so that they compare at a glance.
     *
     * @param step bytes between two lines, &gt; 0
     * @param top bytes at the top of the axis
     */
    public static String onAxis(long at, long step, long top) {
        if (at == 0) {
            return "0";
        }
        ByteUnit chosen = Texts.unit();
        ByteUnit unit = chosen != ByteUnit.FITTING ? chosen : top < ByteUnit.GIB.bytes() ? ByteUnit.MIB : ByteUnit.GIB;
        int decimals = 0;
        for (long tenths = step; tenths % unit.bytes() != 0 && decimals < MOST_DECIMALS; tenths *= 10) {
            decimals++;
        }
        String format = chosen == ByteUnit.FITTING ? "%." : "%,.";
        return String.format(Locale.ROOT, format + decimals + "f ", (double) at / unit.bytes()) + unit.label();
    }

    /** Every digit, grouped, such as {@code 2,931,234,816 B}: for tooltips. */
    public static String exact(long bytes) {
        return ByteSize.exact(bytes);
    }
}
