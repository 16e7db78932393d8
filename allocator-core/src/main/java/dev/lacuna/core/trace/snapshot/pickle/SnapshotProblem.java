package dev.lacuna.core.trace.snapshot.pickle;

import dev.lacuna.core.base.Translations;
import java.text.MessageFormat;
import java.util.Locale;
import java.util.ResourceBundle;

/** What can be wrong with a snapshot. The texts, what it is and what to do, stand in {@code SnapshotProblem*.properties}. */
public enum SnapshotProblem {
    /** The content is no pickle. */
    NOT_A_PICKLE,
    /** The input ends before the pickle does. */
    TRUNCATED,
    /** An opcode that no protocol up to 5 has, or that needs buffers from outside the file. */
    UNKNOWN_OPCODE,
    /** The pickle's commands contradict each other: an empty stack, a missing mark, a value that was never stored. */
    MALFORMED,
    /** The content would take more memory than the limit. */
    TOO_LARGE,
    /** A number, a line or a length beyond any that a snapshot has. */
    TOO_LONG,
    /** The pickle wants to load or call something, which no snapshot does. */
    CODE,
    /** More marks are open at once than the limit. */
    TOO_DEEP,
    /** A pickle, but of something else. */
    NOT_A_SNAPSHOT;

    /** The sentence in this language, with {@code detail} (what was found) in it. */
    public String text(Locale locale, String detail) {
        ResourceBundle texts = Translations.of(SnapshotProblem.class.getName(), locale);
        return MessageFormat.format(texts.getString(name()), detail);
    }
}
