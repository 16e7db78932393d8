package dev.lacuna.ui.text;

import dev.lacuna.core.base.ByteSize;
import java.util.Locale;

/** The one way in which the window writes bytes: as the command line does, binary units, exact figures on demand. */
public final class ByteText {
    private static final double GIB = 1L << 30;

    private ByteText() {}

    /** In the unit that fits, such as {@code 2.73 GiB}, {@code 184 MiB} or {@code 17 B}. */
    public static String of(long bytes) {
        return ByteSize.format(bytes);
    }

    /** Always in GiB with two decimals, such as {@code 0.04 GiB}: for figures that stand beside each other. */
    public static String gib(long bytes) {
        return String.format(Locale.ROOT, "%.2f GiB", bytes / GIB);
    }

    /** Every digit, grouped, such as {@code 2,931,234,816 B}: for tooltips. */
    public static String exact(long bytes) {
        return ByteSize.exact(bytes);
    }
}
