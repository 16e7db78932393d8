package dev.lacuna.core.allocator.expandable;

import dev.lacuna.core.allocator.model.Device;

/** The virtual ranges of one device, numbered in order of creation: 9/8 of the device each, whole pages of either pool; of a device beyond 64 TiB, 9/8 of those. */
final class AddressSpace {
    private final long totalBytes;
    private final long strideBytes;
    private int ranges;

    /** @param first number of the first range */
    AddressSpace(long totalBytes, int first) {
        this.ranges = first;
        this.totalBytes = Math.min(totalBytes, Device.DEFAULT_RANGE_BYTES);
        this.strideBytes = rangeBytes(ExpandablePool.LARGE_PAGE_BYTES);
    }

    /** Length of a range of pages of this size: 9/8 of the device, rounded up. */
    long rangeBytes(long pageBytes) {
        long wanted = totalBytes + totalBytes / 8;
        return (wanted + pageBytes - 1) / pageBytes * pageBytes;
    }

    /** Whether there are addresses for one more range. */
    boolean hasRoom() {
        return ranges + 1 < Long.MAX_VALUE / strideBytes;
    }

    /** Reserves a range; returns its number. */
    int reserve() {
        return ranges++;
    }

    /** The address at which a range starts. */
    long start(int range) {
        return Math.multiplyExact(strideBytes, (long) range);
    }
}
