package dev.lacuna.core.trace.model;

import dev.lacuna.core.base.file.UnreadableException;
import java.util.Locale;

/** A trace that could not be understood: what is wrong, and in which line. */
public final class TraceFormatException extends UnreadableException {
    private static final long serialVersionUID = 1L;

    private final long line;
    private final TraceProblem problem;
    private final String detail;

    public TraceFormatException(TraceProblem problem, long line, String detail) {
        super(problem.at(line, detail));
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
}
