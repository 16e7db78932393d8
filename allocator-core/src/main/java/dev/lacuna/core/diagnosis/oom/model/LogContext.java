package dev.lacuna.core.diagnosis.oom.model;

import java.util.List;

/**
 * The lines of a log around a report, as they stand there; empty where they were not kept.
 *
 * @param firstLine number of the first of them, counted from 1
 * @param lines their text, long ones cut
 */
public record LogContext(long firstLine, List<String> lines) {
    /** Lines before a report and behind it. */
    public static final int AROUND = 5;

    /** None were kept. */
    public static final LogContext NONE = new LogContext(0, List.of());

    public LogContext {
        lines = List.copyOf(lines);
    }

    /** Whether one of the lines has these words in it. */
    public boolean says(String words) {
        return lines.stream().anyMatch(line -> line.contains(words));
    }
}
