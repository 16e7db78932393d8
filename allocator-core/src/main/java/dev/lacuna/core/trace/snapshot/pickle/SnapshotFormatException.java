package dev.lacuna.core.trace.snapshot.pickle;

import dev.lacuna.core.base.file.UnreadableException;

/** A snapshot that could not be understood: what is wrong, and at which byte. */
public final class SnapshotFormatException extends UnreadableException {
    private static final long serialVersionUID = 1L;

    private final SnapshotProblem problem;
    private final long position;

    public SnapshotFormatException(SnapshotProblem problem, long position, String detail) {
        super(problem.at(position, printable(detail)));
        this.problem = problem;
        this.position = position;
    }

    /** What is wrong. */
    public SnapshotProblem problem() {
        return problem;
    }

    /** Byte offset, from 0, of the command or of the object that is wrong. */
    public long position() {
        return position;
    }
}
