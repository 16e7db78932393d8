package dev.lacuna.core.trace.snapshot.pickle;

import java.lang.management.ManagementFactory;

/**
 * How far a reader goes before it refuses a snapshot.
 *
 * @param heapBytes memory that the decoded content may take, estimated, &gt; 0; real snapshots take about three
 *     times the file
 * @param nesting marks that may be open at once, &gt; 0; real snapshots open about ten
 */
public record SnapshotLimits(long heapBytes, int nesting) {
    private static final int USUAL_NESTING = 1000;

    /** Where the machine does not say how large its heap may grow. */
    private static final long USUAL_HEAP_BYTES = 2L << 30;

    public SnapshotLimits {
        if (heapBytes <= 0 || nesting <= 0) {
            throw new IllegalArgumentException("limits must be positive: " + heapBytes + ", " + nesting);
        }
    }

    /** As far as half of what this process's heap may grow to goes. */
    public static SnapshotLimits ofThisHeap() {
        long most = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getMax();
        return new SnapshotLimits(most > 1 ? most / 2 : USUAL_HEAP_BYTES, USUAL_NESTING);
    }
}
