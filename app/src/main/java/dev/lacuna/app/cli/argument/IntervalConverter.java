package dev.lacuna.app.cli.argument;

import dev.lacuna.app.cli.output.CliText;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 100ms}, {@code 2s} or {@code 1m}; at least 10 ms, at most an hour. */
public final class IntervalConverter implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,7})(ms|s|m)");
    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofHours(1);

    @Override
    public Duration convert(String value) {
        Matcher matcher = FORM.matcher(value);
        if (!matcher.matches()) {
            throw new TypeConversionException(CliText.text("interval.form", value));
        }
        long n = Long.parseLong(matcher.group(1));
        Duration duration = switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(n);
            case "s" -> Duration.ofSeconds(n);
            default -> Duration.ofMinutes(n);
        };
        if (duration.compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0) {
            throw new TypeConversionException(CliText.text("interval.range", value));
        }
        return duration;
    }
}
