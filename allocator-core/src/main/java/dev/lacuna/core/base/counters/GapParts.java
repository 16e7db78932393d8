package dev.lacuna.core.base.counters;

/**
 * The three parts of the gap between reserved and allocated, in bytes. They sum to reserved − allocated.
 *
 * @param releasableBytes wholly free segments or chunks: ordinary caching, given back before an out-of-memory
 * @param splitBytes free pieces of partly used segments or chunks: fragmentation proper
 * @param pendingBytes freed by the trainer while a stream still uses them
 */
public record GapParts(long releasableBytes, long splitBytes, long pendingBytes) {
    /** No gap at all. */
    public static final GapParts NONE = new GapParts(0, 0, 0);

    /**
     * The parts of a gap where some blocks lie nobody knows where: they may lie in segments that look wholly free, so that no more counts as
     * releasable than the gap leaves.
     *
     * @param gapBytes reserved − allocated
     * @param looksReleasableBytes of segments and chunks in which no block is known
     */
    public static GapParts within(long gapBytes, long looksReleasableBytes, long pendingBytes) {
        long releasable = releasableWithin(gapBytes, looksReleasableBytes, pendingBytes);
        return new GapParts(releasable, gapBytes - pendingBytes - releasable, pendingBytes);
    }

    /** The first part of {@link #within}, without making an object. */
    public static long releasableWithin(long gapBytes, long looksReleasableBytes, long pendingBytes) {
        return Math.max(0, Math.min(looksReleasableBytes, gapBytes - pendingBytes));
    }

    /** The whole gap in bytes. */
    public long totalBytes() {
        return releasableBytes + splitBytes + pendingBytes;
    }
}
