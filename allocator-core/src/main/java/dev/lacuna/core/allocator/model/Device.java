package dev.lacuna.core.allocator.model;

/**
 * The device that an allocator takes memory from: its capacity, what others hold of it, the cap, and how much is reserved.
 *
 * <p>Memory is taken in whole slots of 2 MiB. Invariant while growing: reserved ≤ min(limit, total − other).
 */
public final class Device {
    /** Granularity of device memory: 2 MiB, the page of every virtual-memory interface of accelerators. */
    public static final long SLOT_BYTES = 2L << 20;

    /** Capacity where nothing else is said: 64 GiB. */
    public static final long DEFAULT_CAPACITY_BYTES = 64L << 30;

    /** Virtual addresses per pool where nothing else is said: 64 TiB, which no trace exhausts. */
    public static final long DEFAULT_RANGE_BYTES = 64L << 40;

    private final long totalBytes;
    private final long rangeBytes;
    private long outsideBytes;
    private long limitBytes;
    private double fraction;
    private long reservedBytes;

    /**
     * @param totalBytes capacity, &gt; 0
     * @param rangeBytes virtual addresses that each pool owns, a positive multiple of 2 MiB
     */
    public Device(long totalBytes, long rangeBytes) {
        if (totalBytes <= 0) {
            throw new IllegalArgumentException("capacity must be positive: " + totalBytes);
        }
        if (rangeBytes <= 0 || rangeBytes % SLOT_BYTES != 0 || rangeBytes > DEFAULT_RANGE_BYTES) {
            throw new IllegalArgumentException(
                    "range must be a positive multiple of 2 MiB up to 64 TiB: " + rangeBytes);
        }
        this.totalBytes = totalBytes;
        this.rangeBytes = rangeBytes;
        fraction(1.0);
    }

    /** A device of this capacity in bytes whose virtual ranges are never exhausted. */
    public static Device ofCapacity(long totalBytes) {
        return new Device(totalBytes, DEFAULT_RANGE_BYTES);
    }

    /** Capacity in bytes. */
    public long totalBytes() {
        return totalBytes;
    }

    /** Virtual addresses per pool, in bytes. */
    public long rangeBytes() {
        return rangeBytes;
    }

    /** Bytes that other processes hold. */
    public long outsideBytes() {
        return outsideBytes;
    }

    /** Cap on reserved, in bytes. */
    public long limitBytes() {
        return limitBytes;
    }

    /** Cap on reserved, as a share of the capacity. */
    public double fraction() {
        return fraction;
    }

    /** Bytes taken so far and not given back. */
    public long reservedBytes() {
        return reservedBytes;
    }

    /** Whether reserving this many bytes more is allowed. */
    public boolean allows(long bytes) {
        return bytes <= roomBytes();
    }

    /** How many slots may still be reserved. */
    public long allowedSlots() {
        return Math.max(0, roomBytes()) / SLOT_BYTES;
    }

    /** Whether more is reserved than the cap allows, because live blocks kept a lowered cap from being reached. */
    public boolean overLimit() {
        return reservedBytes > limitBytes;
    }

    public void setOutsideBytes(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes of other processes must not be negative: " + bytes);
        }
        outsideBytes = bytes;
    }

    public void limit(long bytes) {
        if (bytes <= 0 || bytes > totalBytes) {
            throw new IllegalArgumentException("cap must lie in 1 … " + totalBytes + ": " + bytes);
        }
        limitBytes = bytes;
        fraction = (double) bytes / totalBytes;
    }

    public final void fraction(double share) {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("fraction must satisfy 0 < f ≤ 1: " + share);
        }
        fraction = share;
        limitBytes = (long) (share * totalBytes);
    }

    public void take(long bytes) {
        reservedBytes += bytes;
    }

    public void giveBack(long bytes) {
        reservedBytes -= bytes;
    }

    private long roomBytes() {
        return Math.min(limitBytes, totalBytes - outsideBytes) - reservedBytes;
    }
}
