package dev.lacuna.core.trace.snapshot.pickle;

/** The memory that decoding may still take, estimated: what is kept is charged before it is kept, and given back when it goes. */
public final class Budget {
    /** An object of two words and what points at it. */
    public static final int OBJECT_BYTES = 40;

    /** A number that is an object. */
    static final int NUMBER_BYTES = 24;

    /** A reference in an array that has grown by doubling. */
    public static final int REFERENCE_BYTES = 8;

    /** An item of a container: the reference, and a number behind it at most. */
    public static final int ITEM_BYTES = REFERENCE_BYTES + NUMBER_BYTES;

    private long leftBytes;

    public Budget(long bytes) {
        leftBytes = bytes;
    }

    public void charge(long bytes, long position) throws SnapshotFormatException {
        leftBytes -= bytes;
        if (leftBytes < 0) {
            throw new SnapshotFormatException(SnapshotProblem.TOO_LARGE, position, "");
        }
    }

    /** Memory that had been charged is not needed any more. */
    public void release(long bytes) {
        leftBytes += bytes;
    }
}
