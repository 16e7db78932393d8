package dev.lacuna.core.diagnosis.model;

import java.util.List;

/**
 * One thing that a rule found: one sentence, its numbers, and how sure it is.
 *
 * @param id stable name, also in message keys
 * @param sentence why, with the numbers
 * @param figures the numbers that it rests on
 * @param confidence how sure it is
 */
public record Finding(String id, Text sentence, List<Figure> figures, Confidence confidence) {
    public Finding {
        figures = List.copyOf(figures);
    }

    /** The same, as sure as this. */
    public Finding sure(Confidence other) {
        return new Finding(id, sentence, figures, other);
    }

    /**
     * A number of a finding.
     *
     * @param name what it is: {@code tried}, {@code free}, {@code gap} …
     * @param bytes its value
     */
    public record Figure(String name, long bytes) {}
}
