package dev.lacuna.core.diagnosis.oom.line;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The time that a logger put in front of a line: {@code 2026-01-01 00:00:00,123}, {@code 2026-01-01T00:00:00.123Z}. */
public final class LogTime {
    /** A prefix shorter than this holds no date and time. */
    public static final int SHORTEST = 19;

    private static final Pattern TIME =
            Pattern.compile("(\\d{4})-(\\d\\d)-(\\d\\d)[T -](\\d\\d):(\\d\\d):(\\d\\d)(?:[.,](\\d{1,9}))?");

    private LogTime() {}

    /** The first time in a line's prefix, on the clock of whoever printed it. */
    public static Optional<LocalDateTime> in(String prefix) {
        Matcher m = TIME.matcher(prefix);
        if (!m.find()) {
            return Optional.empty();
        }
        String fraction = m.group(7) == null ? "0" : m.group(7);
        int nanos = Integer.parseInt((fraction + "000000000").substring(0, 9));
        try {
            return Optional.of(LocalDateTime.of(
                    number(m, 1), number(m, 2), number(m, 3), number(m, 4), number(m, 5), number(m, 6), nanos));
        } catch (DateTimeException e) {
            return Optional.empty(); // The thirteenth month.
        }
    }

    private static int number(Matcher m, int group) {
        return Integer.parseInt(m.group(group));
    }
}
