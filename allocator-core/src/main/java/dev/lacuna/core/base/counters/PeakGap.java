package dev.lacuna.core.base.counters;

/**
 * The gap in a window of time: the most that was reserved in it less the most that was allocated in it. The only definition of a gap that
 * is no moment's; what lies free at one moment is {@link MemoryCounters#gapNowBytes()}.
 *
 * @param peakReservedBytes highest reserved in the window, ≥ 0
 * @param peakAllocatedBytes highest allocated in the same window, 0 … reserved
 */
public record PeakGap(long peakReservedBytes, long peakAllocatedBytes) {
    /** Of an empty window: neutral to {@link #and}. */
    public static final PeakGap NONE = new PeakGap(0, 0);

    /** A window of a single moment. */
    public static PeakGap at(MemoryCounters moment) {
        return new PeakGap(moment.reservedBytes(), moment.allocatedBytes());
    }

    /** Peak reserved − peak allocated, in bytes. */
    public long bytes() {
        return peakReservedBytes - peakAllocatedBytes;
    }

    /** 1 − peak allocated ÷ peak reserved, 0 … 1; 0 where nothing was reserved. */
    public double fragmentation() {
        return peakReservedBytes == 0 ? 0 : 1 - (double) peakAllocatedBytes / peakReservedBytes;
    }

    /** Of both windows together. The gap of the whole may be less than that of a part. */
    public PeakGap and(PeakGap other) {
        return new PeakGap(
                Math.max(peakReservedBytes, other.peakReservedBytes),
                Math.max(peakAllocatedBytes, other.peakAllocatedBytes));
    }
}
