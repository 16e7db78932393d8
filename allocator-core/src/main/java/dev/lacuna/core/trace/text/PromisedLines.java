package dev.lacuna.core.trace.text;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How many lines of events a recording says that it has, and how many there were: fewer are a file that was cut. */
final class PromisedLines {
    private static final Pattern PROMISE = Pattern.compile("#\\s*lines of events follow:\\s*([0-9]{1,18})\\s*");
    private static final long NONE = -1;

    private long promised = NONE;
    private long reported;

    /** A line of the head. */
    void head(String line) {
        Matcher promise = PROMISE.matcher(line);
        if (promise.matches()) {
            promised = Long.parseLong(promise.group(1));
        }
    }

    /** A line of events. */
    void reported() {
        reported++;
    }

    /** Whether the head told a number: a line that does not end belongs to a cut file then. */
    boolean known() {
        return promised != NONE;
    }

    /** Whether some are missing. */
    boolean missing() {
        return reported < promised;
    }

    /** Whether there were none where there should have been, or the head ended before it told how many. */
    boolean hollow() {
        return reported == 0 && promised != 0;
    }
}
