package dev.lacuna.core.snapshot;

/** The memory that decoding may still take, estimated: every value made and every row kept is charged before it is kept. */
final class Budget {
    /** An object of two words and what points at it. */
    static final int OBJECT_BYTES = 40;

    /** A reference in an array that has grown by doubling. */
    static final int REFERENCE_BYTES = 8;

    private long leftBytes;

    Budget(long bytes) {
        leftBytes = bytes;
    }

    void charge(long bytes, long position) throws SnapshotFormatException {
        leftBytes -= bytes;
        if (leftBytes < 0) {
            throw new SnapshotFormatException(SnapshotProblem.TOO_LARGE, position, "");
        }
    }
}
