package dev.lacuna.core.config.document;

import dev.lacuna.core.base.Words;
import dev.lacuna.core.base.file.UnreadableException;

/** A configuration file that could not be understood: what is wrong, and on which line. */
public final class ConfigFormatException extends UnreadableException {
    private static final long serialVersionUID = 1L;
    private static final Words WORDS = new Words(ConfigProblem.class.getName());

    private final ConfigProblem problem;
    private final int line;

    ConfigFormatException(ConfigProblem problem, int line, String detail) {
        super(WORDS.of("AT", Integer.toString(line), WORDS.of(problem.name(), printable(detail))));
        this.problem = problem;
        this.line = line;
    }

    /** What is wrong. */
    public ConfigProblem problem() {
        return problem;
    }

    /** The line, from 1. */
    public int line() {
        return line;
    }
}
