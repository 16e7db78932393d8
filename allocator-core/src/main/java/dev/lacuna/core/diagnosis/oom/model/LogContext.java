package dev.lacuna.core.diagnosis.oom.model;

import java.util.List;
import java.util.stream.Stream;

/**
 * The lines of a log around a report, as they stand there; empty where they were not kept.
 *
 * @param firstLine number of the first of them, counted from 1
 * @param lines their text, long ones cut
 * @param frames the lines that name the functions of the traceback which ends in the report, the innermost first
 */
public record LogContext(long firstLine, List<String> lines, List<String> frames) {
    /** Lines before a report and behind it. */
    public static final int AROUND = 5;

    /** None were kept. */
    public static final LogContext NONE = new LogContext(0, List.of(), List.of());

    public LogContext {
        lines = List.copyOf(lines);
        frames = List.copyOf(frames);
    }

    /** Whether one of the lines has these words in it. */
    public boolean says(String words) {
        return lines.stream().anyMatch(line -> line.contains(words));
    }

    /** Whether one of the lines, or of the functions that led to the report, has one of these words in it. */
    public boolean ranThrough(List<String> words) {
        return Stream.concat(lines.stream(), frames.stream())
                .anyMatch(line -> words.stream().anyMatch(line::contains));
    }
}
