package dev.lacuna.core.estimate.term;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Writes the numbers of formulas and of what they yield. */
public final class FigureText {
    private static final String[] UNITS = {"", " k", " M", " G", " T", " P", " E", " Z", " Y"};

    private FigureText() {}

    /** 6.74 G, 3.1 P: decimal, as counts are. */
    public static String scaled(double value) {
        int unit = 0;
        double rest = value;
        while (rest >= 1000 && unit + 1 < UNITS.length) {
            rest /= 1000;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f" : "%.2f", rest) + UNITS[unit];
    }

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
