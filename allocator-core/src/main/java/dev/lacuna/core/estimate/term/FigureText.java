package dev.lacuna.core.estimate.term;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Writes formulas with their numbers: {@code 2·s·b·h = 2·1024·4·512}. */
public final class FigureText {
    private FigureText() {}

    /** A whole number as such, others with up to four decimals. */
    public static String of(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : BigDecimal.valueOf(value)
                        .setScale(4, RoundingMode.HALF_UP)
                        .stripTrailingZeros()
                        .toPlainString();
    }

    /** The symbols, then the same with the numbers in place of each {@code %s}. */
    public static String formula(String symbols, String numbers, double... values) {
        Object[] words =
                java.util.Arrays.stream(values).mapToObj(FigureText::of).toArray();
        return symbols + " = " + String.format(java.util.Locale.ROOT, numbers, words);
    }
}
