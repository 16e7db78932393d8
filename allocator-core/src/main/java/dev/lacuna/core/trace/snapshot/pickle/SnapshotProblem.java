package dev.lacuna.core.trace.snapshot.pickle;

import dev.lacuna.core.base.Sentence;
import dev.lacuna.core.base.Words;

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

    private static final Words WORDS = new Words(SnapshotProblem.class.getName());

    /** The sentence, with {@code detail} (what was found) in it, behind the byte where it was. */
    Sentence at(long position, String detail) {
        return WORDS.of("AT", Long.toString(position), WORDS.of(name(), detail));
    }
}
