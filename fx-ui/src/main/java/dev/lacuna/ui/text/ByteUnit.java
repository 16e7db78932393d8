package dev.lacuna.ui.text;

import dev.lacuna.core.base.ByteSize;
import java.util.Locale;

/** The units that bytes can be shown in. */
public enum ByteUnit {
    /** In each figure the binary one that fits it: B, KiB, MiB, GiB, TiB. */
    FITTING("", 1, 0),
    MIB("MiB", 1L << 20, 0),
    GIB("GiB", 1L << 30, 2),
    MB("MB", 1_000_000L, 0),
    GB("GB", 1_000_000_000L, 2);

    /** Nearer to nothing than this share of a unit, its decimals would say nothing. */
    private static final int SMALL = 100;

    private final String label;
    private final long bytes;
    private final int decimals;

    ByteUnit(String label, long bytes, int decimals) {
        this.label = label;
        this.bytes = bytes;
        this.decimals = decimals;
    }

    /** Bytes of one of it; 1 for {@link #FITTING}. */
    public long bytes() {
        return bytes;
    }

    /** What is written behind a number, such as {@code MiB}; empty for {@link #FITTING}. */
    public String label() {
        return label;
    }

    /** Whether it is a power of ten. */
    public boolean isDecimal() {
        return this == MB || this == GB;
    }

    /** The next one, and after the last the first. */
    public ByteUnit next() {
        return values()[(ordinal() + 1) % values().length];
    }

    /**
     * The unit for a device's figures, where it is not chosen: MiB below 2 GiB, where hundredths of a GiB would hide too much, else GiB.
     *
     * @param totalBytes its capacity
     */
    public static ByteUnit forDevice(long totalBytes) {
        return totalBytes < 2 * GIB.bytes ? MIB : GIB;
    }

    /** Such as {@code 5.62 GiB} or {@code 512 MiB}; what would be 0.00 of the unit takes a smaller one. */
    String write(long value) {
        double magnitude = Math.abs((double) value);
        boolean tiny = value != 0 && magnitude * SMALL < bytes;
        if (this == FITTING || tiny && !isDecimal()) {
            return ByteSize.format(value);
        }
        if (tiny) {
            return this == GB ? MB.write(value) : sign(value) + String.format(Locale.ROOT, "%.2f kB", magnitude / 1000);
        }
        int shown = decimals == 0 && magnitude < 10 * bytes && value != 0 ? 2 : decimals;
        return sign(value) + String.format(Locale.ROOT, "%,." + shown + "f ", magnitude / bytes) + label;
    }

    /** The minus that {@link ByteSize} writes. */
    private static String sign(long value) {
        return value < 0 ? "\u2212" : "";
    }
}
