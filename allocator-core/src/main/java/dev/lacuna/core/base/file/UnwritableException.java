package dev.lacuna.core.base.file;

import dev.lacuna.core.base.Words;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;

/** A file could not be written; what was there before is as it was. */
public final class UnwritableException extends IOException {
    private static final long serialVersionUID = 1L;

    private final WriteProblem problem;

    UnwritableException(WriteProblem problem, IOException cause) {
        super(cause.getMessage(), cause);
        this.problem = problem;
    }

    UnwritableException(WriteProblem problem, String file) {
        super(file);
        this.problem = problem;
    }

    /** What this fault of writing means for a file that is named only once it is whole. */
    public static UnwritableException of(IOException fault) {
        return fault instanceof UnwritableException known
                ? known
                : new UnwritableException(WriteProblem.of(fault), fault);
    }

    /** Why. */
    public WriteProblem problem() {
        return problem;
    }

    /** Why and what to do, in a sentence of this language. */
    public String text(Locale locale) {
        return new Words(WriteProblem.class.getName())
                .text(locale, problem.key(), Optional.ofNullable(getMessage()).orElse(""));
    }

    @Override
    public String getLocalizedMessage() {
        return text(Locale.getDefault());
    }
}
