package dev.lacuna.app.cli.argument;

import dev.lacuna.app.cli.output.CliText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads rates of a link such as {@code 24GB/s} into bytes a second, decimal; {@code none} is 0. */
public final class LinkConverter implements ITypeConverter<Long> {
    private static final Pattern RATE = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)([KMGT])B/s");
    private static final String UNITS = "KMGT";
    private static final double MOST = 1e14;

    @Override
    public Long convert(String value) {
        if (value.equals("none")) {
            return 0L;
        }
        Matcher rate = RATE.matcher(value);
        if (rate.matches()) {
            double bytes = Double.parseDouble(rate.group(1)) * Math.pow(1000, UNITS.indexOf(rate.group(2)) + 1);
            if (bytes >= 1000 && bytes <= MOST) {
                return Math.round(bytes);
            }
        }
        throw new TypeConversionException(CliText.text("plan.link", value));
    }
}
