package dev.lacuna.core.trace.snapshot.model;

import java.util.function.IntToLongFunction;

/**
 * What a snapshot holds of one device.
 *
 * @param index number of the device
 * @param segments what its allocator held
 * @param blocks the pieces of those
 * @param events what its allocator did, as far as it was recorded
 */
public record SnapshotDevice(int index, SnapshotSegments segments, SnapshotBlocks blocks, SnapshotEvents events) {
    /** Number of what is no device: memory of the host that the allocator pinned. */
    public static final int HOST = -1;

    /** Bytes taken from the device. */
    public long reservedBytes() {
        return sum(segments.size(), segments::bytes);
    }

    /** Bytes in the trainer's hands. */
    public long allocatedBytes() {
        return sum(segments.size(), segments::allocatedBytes);
    }

    /** Allocated, plus freed bytes that a stream still uses. */
    public long activeBytes() {
        return sum(segments.size(), segments::activeBytes);
    }

    /** Bytes that the trainer asked for and holds. */
    public long requestedBytes() {
        return sum(segments.size(), segments::requestedBytes);
    }

    private static long sum(int rows, IntToLongFunction column) {
        long sum = 0;
        for (int i = 0; i < rows; i++) {
            sum += column.applyAsLong(i);
        }
        return sum;
    }
}
