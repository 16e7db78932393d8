package dev.lacuna.core.base;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Byte counts as people and programs write them. Reading is exact (decimal arithmetic, no floating point); writing is
 * for people, in binary units, and beside it {@link #exact} gives every byte.
 */
public final class ByteSize {
    private static final Pattern COMMAND_LINE =
            Pattern.compile("(\\d{1,19}(?:\\.\\d{1,9})?)(B|KiB|MiB|GiB|TiB)?", Pattern.CASE_INSENSITIVE);

    private static final int MAX_PRINTED_DIGITS = 40;
    private static final BigDecimal MOST = BigDecimal.valueOf(1L << 62);

    private ByteSize() {}

    /**
     * Reads a size given on a command line: {@code 512} (bytes), {@code 20MiB}, {@code 64GiB}, {@code 1.5GiB}. The bytes that fit: of
     * {@code 3.9GiB}, which is no whole number of them, the fraction is cut off.
     *
     * @throws IllegalArgumentException when the text is no size, has a decimal unit such as GB, is a fraction of
     *     single bytes or exceeds 2^63 − 1; the message says what is accepted
     */
    public static long parse(String text) {
        Matcher m = COMMAND_LINE.matcher(text.strip());
        if (!m.matches()) {
            throw new IllegalArgumentException(
                    "not a size: '" + text + "' (write bytes, or a number with KiB, MiB, GiB or TiB, such as 20MiB)");
        }
        SizeUnit unit =
                m.group(2) == null ? SizeUnit.BYTE : SizeUnit.ofWord(m.group(2)).orElseThrow();
        BigDecimal bytes = new BigDecimal(m.group(1)).multiply(BigDecimal.valueOf(unit.bytes()));
        try {
            return (unit == SizeUnit.BYTE ? bytes : bytes.setScale(0, RoundingMode.DOWN)).longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("not a whole number of bytes below 2^63: '" + text + "'", e);
        }
    }

    /**
     * The bytes that a printed number and unit stand for, rounded to the nearest byte (a message prints two decimals).
     * Empty from 2^62 bytes on, which no memory has: drivers print 17179869184.00 GiB (2^64 bytes) for "not available".
     * Sums of two such sizes stay within a long.
     *
     * @param number digits with at most one point; anything else is a fault of the caller
     */
    public static OptionalLong printed(String number, SizeUnit unit) {
        if (number.length() > MAX_PRINTED_DIGITS) {
            return OptionalLong.empty();
        }
        BigDecimal bytes = new BigDecimal(number)
                .multiply(BigDecimal.valueOf(unit.bytes()))
                .setScale(0, RoundingMode.HALF_UP);
        return bytes.compareTo(MOST) < 0 ? OptionalLong.of(bytes.longValueExact()) : OptionalLong.empty();
    }

    /**
     * The size for people: {@code 2.73 GiB}, {@code 184 MiB}, {@code 18.4 MiB}, {@code 512 B}. GiB and TiB always have
     * two decimals, smaller units three significant digits, so that a live figure keeps its width. Negative sizes
     * (differences) carry a minus sign.
     */
    public static String format(long bytes) {
        BigDecimal magnitude = BigDecimal.valueOf(bytes).abs();
        SizeUnit[] units = Arrays.copyOf(SizeUnit.values(), SizeUnit.PIB.ordinal());
        String text = magnitude.toPlainString();
        int u = 0;
        while (u + 1 < units.length && reachesNext(text)) {
            u++;
            text = inUnit(magnitude, units[u]);
        }
        return (bytes < 0 ? "\u2212" : "") + text + " " + units[u].label();
    }

    /** Every byte, grouped: {@code 2,931,315,180 B}. */
    public static String exact(long bytes) {
        return String.format(Locale.ROOT, "%,d B", bytes);
    }

    /** Rounding must not leave 1024 of a unit standing: it is 1.00 of the next. */
    private static boolean reachesNext(String text) {
        return new BigDecimal(text).compareTo(BigDecimal.valueOf(1024)) >= 0;
    }

    private static String inUnit(BigDecimal bytes, SizeUnit unit) {
        BigDecimal value = bytes.divide(BigDecimal.valueOf(unit.bytes()));
        int scale = 2;
        if (unit.compareTo(SizeUnit.GIB) < 0) {
            scale = value.compareTo(BigDecimal.valueOf(99.95)) >= 0
                    ? 0
                    : value.compareTo(BigDecimal.valueOf(9.995)) >= 0 ? 1 : 2;
        }
        return value.setScale(scale, RoundingMode.HALF_UP).toPlainString();
    }
}
