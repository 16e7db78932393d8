package dev.lacuna.core.diagnosis.snapshot.evidence;

import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.trace.snapshot.model.PoolId;

/**
 * One segment at a moment, and the blocks in it.
 *
 * @param address where it begins
 * @param totalBytes its size
 * @param stream the stream that it serves
 * @param pool the pair of pools that it belongs to
 * @param large whether it belongs to the large pool of the pair
 * @param expandable whether it is a piece of an expandable range
 * @param blocks the allocations in it that take memory, by address; pending ones too
 * @param takenBytes their bytes
 * @param releasableBytes what of it could go back to the device
 */
public record SegmentAtMoment(
        long address,
        long totalBytes,
        long stream,
        PoolId pool,
        boolean large,
        boolean expandable,
        int[] blocks,
        long takenBytes,
        long releasableBytes) {
    public long freeBytes() {
        return totalBytes - takenBytes;
    }

    /** What is free in it and cannot go back, because blocks stand beside it. */
    public long splitBytes() {
        return Math.max(0, freeBytes() - releasableBytes);
    }

    /** Whether no block lies in it: the allocator could give it back. */
    public boolean isWhollyFree() {
        return blocks.length == 0;
    }

    /** Whether its holes can serve a request of this stream, pool and kind: blocks never cross those. */
    boolean serves(long ofStream, PoolId ofPool, boolean ofLarge) {
        return stream == ofStream && pool.equals(ofPool) && large == ofLarge;
    }

    long end() {
        return address + totalBytes;
    }

    /** Its largest hole. */
    long largestHole(DeviceHistory history) {
        long largest = 0;
        long at = address;
        for (int block : blocks) {
            largest = Math.max(largest, history.addressOf(block) - at);
            at = Math.max(at, history.addressOf(block) + history.bytesOf(block));
        }
        return Math.max(largest, end() - at);
    }
}
