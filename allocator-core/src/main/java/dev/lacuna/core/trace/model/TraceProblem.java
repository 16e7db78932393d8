package dev.lacuna.core.trace.model;

import dev.lacuna.core.base.Sentence;
import dev.lacuna.core.base.Words;
import java.util.Locale;

/** What can be wrong with a trace. The texts, what it is and what to do, stand in {@code TraceProblem*.properties}. */
public enum TraceProblem {
    /** The content is no trace that can be read. */
    UNKNOWN_FORMAT,
    /** The content is no text, and no snapshot either. */
    BINARY,
    /** There is nothing in it. */
    EMPTY,
    /** What is packed was packed before. */
    PACKED_TWICE,
    /** The file holds nothing of the device that was asked for. */
    NO_SUCH_DEVICE,
    /** The first word of a line is no command. */
    UNKNOWN_COMMAND,
    /** A line has too many or too few words or columns. */
    WRONG_SHAPE,
    /** A number is not one, or lies out of its range. */
    BAD_NUMBER,
    /** A phase is none of setup, forward, step, or neither begins nor ends. */
    BAD_PHASE,
    /** A step mark whose code is none of 0 … 3. */
    BAD_MARK,
    /** A block is allocated while one of the same name is live. */
    LIVE_ALREADY,
    /** A block is freed that is not live. */
    NOT_LIVE,
    /** The capacity is given after the first request. */
    LATE_TOTAL,
    /** A line is longer than any of a trace can be. */
    LINE_TOO_LONG;

    private static final Words WORDS = new Words(TraceProblem.class.getName());

    /** Whether it lies in one line, rather than in the whole file. */
    boolean inOneLine() {
        return switch (this) {
            case UNKNOWN_FORMAT, BINARY, EMPTY, PACKED_TWICE, NO_SUCH_DEVICE -> false;
            default -> true;
        };
    }

    /** Whether a line may be wrong in this way because the rest of it is missing: of a contradiction, where a name is. */
    public boolean mayComeOfCut() {
        return switch (this) {
            case UNKNOWN_COMMAND, WRONG_SHAPE, BAD_NUMBER, BAD_PHASE, NOT_LIVE -> true;
            default -> false;
        };
    }

    /** The sentence in this language, with {@code detail} (what was found) in it. */
    public String text(Locale locale, String detail) {
        return WORDS.text(locale, name(), detail);
    }

    /** The same behind the line, where it lies in one. */
    Sentence at(long line, String detail) {
        Sentence what = WORDS.of(name(), detail);
        return inOneLine() ? WORDS.of("AT", Long.toString(line), what) : what;
    }
}
