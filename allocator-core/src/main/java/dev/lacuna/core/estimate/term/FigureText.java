package dev.lacuna.core.estimate.term;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Writes the numbers of formulas. */
final class FigureText {
    private FigureText() {}

    /** A whole number as such, others with up to four decimals. */
    static String of(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : BigDecimal.valueOf(value)
                        .setScale(4, RoundingMode.HALF_UP)
                        .stripTrailingZeros()
                        .toPlainString();
    }
}
