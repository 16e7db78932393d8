package dev.lacuna.core.history.model;

import dev.lacuna.core.base.counters.GapParts;

/**
 * What a device holds at the end of a recording, in figures.
 *
 * @param segments number of segments
 * @param blocks number of blocks, free ones included
 * @param reservedBytes bytes taken from the device
 * @param allocatedBytes bytes in the trainer's hands
 * @param activeBytes allocated, plus freed bytes that a stream still uses
 * @param requestedBytes bytes that the trainer asked for and holds
 * @param gap the parts of reserved − allocated; of expandable segments, free whole pages are releasable
 * @param largestFreeBytes the largest free piece
 * @param ooms requests that ran out of memory during the recording
 */
public record DeviceFigures(
        int segments,
        int blocks,
        long reservedBytes,
        long allocatedBytes,
        long activeBytes,
        long requestedBytes,
        GapParts gap,
        long largestFreeBytes,
        int ooms) {

    /** Allocated − requested, in bytes. */
    public long roundingBytes() {
        return allocatedBytes - requestedBytes;
    }
}
