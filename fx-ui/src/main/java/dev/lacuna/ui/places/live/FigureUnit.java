package dev.lacuna.ui.places.live;

import java.util.Locale;

/** The unit of a device's figures: GiB with MiB below the first one, or MiB throughout. Either keeps its width. */
enum FigureUnit {
    MIB(1L << 20, "%.0f MiB"),
    GIB(1L << 30, "%.2f GiB");

    /** Below this, hundredths of a GiB would hide too much. */
    private static final long SMALL_DEVICE = 2L << 30;

    private final long bytes;
    private final String format;

    FigureUnit(long bytes, String format) {
        this.bytes = bytes;
        this.format = format;
    }

    /** The unit for a device of this capacity. */
    static FigureUnit of(long totalBytes) {
        return totalBytes < SMALL_DEVICE ? MIB : GIB;
    }

    /** Such as {@code 5.62 GiB} or {@code 512 MiB}: hundredths of a GiB would call 4 MiB nothing. */
    String text(long value) {
        if (this == GIB && Math.abs(value) < GIB.bytes) {
            return MIB.text(value);
        }
        return String.format(Locale.ROOT, format, (double) value / bytes);
    }
}
