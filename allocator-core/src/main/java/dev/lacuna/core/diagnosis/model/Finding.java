package dev.lacuna.core.diagnosis.model;

import java.util.ArrayList;
import java.util.List;

/**
 * One thing that a rule found.
 *
 * @param id stable name, also in message keys
 * @param severity how much it matters
 * @param confidence how sure it is
 * @param summary what it is, in a few words
 * @param explanation why, with the numbers
 * @param figures the numbers that it rests on, what is at stake first
 * @param moment where to look in a recording, 0 … its size; 0 elsewhere
 * @param subject what it is about
 * @param remedies what to do about it, best first
 */
public record Finding(
        String id,
        Severity severity,
        Confidence confidence,
        Text summary,
        Text explanation,
        List<Figure> figures,
        int moment,
        Subject subject,
        List<Remedy> remedies) {
    /** How much a finding matters, heaviest first. */
    public enum Severity {
        /** It failed there, and this is why. */
        FAILURE,
        /** Memory that could be saved. */
        WASTE,
        /** Good to know. */
        NOTE
    }

    /**
     * A number of a finding.
     *
     * @param name what it is: {@code tried}, {@code free}, {@code gap} …
     * @param bytes its value
     */
    public record Figure(String name, long bytes) {}

    public Finding {
        figures = List.copyOf(figures);
        remedies = List.copyOf(remedies);
    }

    /** Sure of it, about the whole of what was looked at. */
    public static Finding of(String id, Severity severity, Text summary, Text explanation) {
        return new Finding(
                id, severity, Confidence.HIGH, summary, explanation, List.of(), 0, new Subject.Whole(), List.of());
    }

    /** Why it failed. */
    public static Finding of(Cause cause, Text why) {
        return of(cause.id(), Severity.FAILURE, why, why);
    }

    /** Something that one sentence tells, and that is good to know. */
    public static Finding of(String id, Text sentence) {
        return of(id, Severity.NOTE, sentence, sentence);
    }

    /** The same, as sure as this. */
    public Finding sure(Confidence other) {
        return new Finding(id, severity, other, summary, explanation, figures, moment, subject, remedies);
    }

    /** The same, weighing this much. */
    public Finding weighing(Severity other) {
        return new Finding(id, other, confidence, summary, explanation, figures, moment, subject, remedies);
    }

    /** The same in these few words. */
    public Finding headed(Text other) {
        return new Finding(id, severity, confidence, other, explanation, figures, moment, subject, remedies);
    }

    /** The same with another number. */
    public Finding with(String name, long bytes) {
        List<Figure> more = new ArrayList<>(figures);
        more.add(new Figure(name, bytes));
        return new Finding(id, severity, confidence, summary, explanation, more, moment, subject, remedies);
    }

    /** The same, said of this. */
    public Finding about(Subject other) {
        return at(moment, other);
    }

    /** The same, said of this at a moment of a recording. */
    public Finding at(int when, Subject other) {
        return new Finding(id, severity, confidence, summary, explanation, figures, when, other, remedies);
    }

    /** The same with what to do about it. */
    public Finding advising(List<Remedy> others) {
        return new Finding(id, severity, confidence, summary, explanation, figures, moment, subject, others);
    }

    /** What is at stake. */
    public long bytes() {
        return figures.isEmpty() ? 0 : figures.get(0).bytes();
    }
}
