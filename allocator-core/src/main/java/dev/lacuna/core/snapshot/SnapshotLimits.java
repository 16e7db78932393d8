package dev.lacuna.core.snapshot;

/**
 * How far a reader goes before it refuses a snapshot.
 *
 * @param heapBytes memory that the decoded content may take, estimated, &gt; 0; real snapshots take two to four times the
 *     file
 * @param nesting marks that may be open at once, &gt; 0; real snapshots open about ten
 */
public record SnapshotLimits(long heapBytes, int nesting) {
    /** Fits snapshots of several hundred MiB. */
    public static final SnapshotLimits DEFAULT = new SnapshotLimits(2L << 30, 1000);

    public SnapshotLimits {
        if (heapBytes <= 0 || nesting <= 0) {
            throw new IllegalArgumentException("limits must be positive: " + heapBytes + ", " + nesting);
        }
    }
}
