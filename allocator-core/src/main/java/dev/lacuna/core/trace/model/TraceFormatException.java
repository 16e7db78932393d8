package dev.lacuna.core.trace.model;

import java.io.IOException;
import java.util.Locale;

/** A trace that could not be understood: what is wrong, in which line, and what to do about it. */
public final class TraceFormatException extends IOException {
    private static final long serialVersionUID = 1L;

    private final long line;
    private final TraceProblem problem;
    private final String detail;

    public TraceFormatException(TraceProblem problem, long line, String detail) {
        super(message(Locale.ROOT, problem, line, detail));
        this.problem = problem;
        this.line = line;
        this.detail = detail;
    }

    /** What is wrong. */
    public TraceProblem problem() {
        return problem;
    }

    /** The line, counted from 1; means little where the file as a whole is wrong. */
    public long line() {
        return line;
    }

    /** Whether it lies in one line, rather than in the whole file. */
    public boolean inOneLine() {
        return problem.inOneLine();
    }

    /** What is wrong and what to do, in this language, without the line. */
    public String explanation(Locale locale) {
        return problem.text(locale, detail);
    }

    /** The message in the default locale's language. */
    @Override
    public String getLocalizedMessage() {
        return message(Locale.getDefault(), problem, line, detail);
    }

    private static String message(Locale locale, TraceProblem problem, long line, String detail) {
        String text = problem.text(locale, detail);
        return problem.inOneLine() ? line + ": " + text : text;
    }
}
