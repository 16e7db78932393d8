package dev.lacuna.app.cli.argument;

import dev.lacuna.app.cli.output.CliText;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads speeds such as {@code 312T}, {@code 1.5P} or {@code 9e13} into floating-point operations a second. */
public final class SpeedConverter implements ITypeConverter<Double> {
    private static final String UNITS = "GTP";

    @Override
    public Double convert(String value) {
        int unit = value.isEmpty() ? -1 : UNITS.indexOf(Character.toUpperCase(value.charAt(value.length() - 1)));
        String digits = unit < 0 ? value : value.substring(0, value.length() - 1);
        if (digits.matches("\\d{1,9}(\\.\\d{0,9})?([eE]\\d{1,2})?")) {
            double speed = Double.parseDouble(digits) * (unit < 0 ? 1 : Math.pow(1000, unit + 3));
            if (speed >= 1 && speed <= 1e21) {
                return speed;
            }
        }
        throw new TypeConversionException(CliText.text("plan.flops", value));
    }
}
