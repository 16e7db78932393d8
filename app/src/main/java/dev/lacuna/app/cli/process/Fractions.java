package dev.lacuna.app.cli.process;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** How a memory fraction is written for people: rounded up to four decimals, so that a lowest safe one stays safe. */
final class Fractions {
    private Fractions() {}

    static String text(double fraction) {
        return BigDecimal.valueOf(fraction)
                .setScale(4, RoundingMode.CEILING)
                .stripTrailingZeros()
                .toPlainString();
    }
}
