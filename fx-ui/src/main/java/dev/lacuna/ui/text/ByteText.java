package dev.lacuna.ui.text;

import java.util.Locale;

/** The one way in which the window writes bytes: binary units, always named, exact figures on demand. */
public final class ByteText {
    private static final long KIB = 1L << 10;
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;
    private static final long TIB = 1L << 40;

    private ByteText() {}

    /** Two decimals in the unit that fits, such as {@code 2.73 GiB} or {@code 512.00 KiB}; below 1 KiB {@code 17 B}. */
    public static String of(long bytes) {
        long magnitude = Math.abs(bytes);
        if (magnitude < KIB) {
            return bytes + " B";
        }
        // A value that would be printed as 1024.00 of its unit belongs into the next one.
        if (magnitude < MIB - KIB / 200) {
            return inUnit(bytes, KIB, "KiB");
        }
        if (magnitude < GIB - MIB / 200) {
            return inUnit(bytes, MIB, "MiB");
        }
        return magnitude < TIB - GIB / 200 ? inUnit(bytes, GIB, "GiB") : inUnit(bytes, TIB, "TiB");
    }

    /** Always in GiB with two decimals, such as {@code 0.04 GiB}: for figures that stand beside each other. */
    public static String gib(long bytes) {
        return inUnit(bytes, GIB, "GiB");
    }

    /** Every digit, grouped, such as {@code 2,931,234,816 B}: for tooltips. */
    public static String exact(long bytes) {
        return String.format(Locale.ROOT, "%,d B", bytes);
    }

    private static String inUnit(long bytes, long unit, String name) {
        return String.format(Locale.ROOT, "%.2f %s", (double) bytes / unit, name);
    }
}
