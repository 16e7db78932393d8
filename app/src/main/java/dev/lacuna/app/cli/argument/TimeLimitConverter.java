package dev.lacuna.app.cli.argument;

import dev.lacuna.app.cli.output.CliText;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 500ms}, {@code 30s}, {@code 5m} or {@code 2h}; at most a day. */
public final class TimeLimitConverter implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,7})(ms|s|m|h)");
    private static final Duration LONGEST = Duration.ofDays(1);

    @Override
    public Duration convert(String value) {
        Matcher matcher = FORM.matcher(value);
        if (!matcher.matches()) {
            throw new TypeConversionException(CliText.text("plan.time.form", value));
        }
        long n = Long.parseLong(matcher.group(1));
        Duration duration = switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(n);
            case "s" -> Duration.ofSeconds(n);
            case "m" -> Duration.ofMinutes(n);
            default -> Duration.ofHours(n);
        };
        if (duration.compareTo(LONGEST) > 0) {
            throw new TypeConversionException(CliText.text("plan.time.range", value));
        }
        return duration;
    }
}
