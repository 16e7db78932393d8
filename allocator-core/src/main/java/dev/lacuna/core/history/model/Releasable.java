package dev.lacuna.core.history.model;

/**
 * What the allocator could give back to the device, for everybody who counts it: a segment in which no block lies goes back as a whole; of
 * an expandable one that blocks lie in, every page that none of them touches. Pages are counted from where the segment begins.
 */
public final class Releasable {
    /** A segment that goes back as a whole or not at all. */
    public static final long NO_PAGES = 0;

    /** Expandable segments are mapped and unmapped in pages of this: PyTorch's kSmallBuffer and kLargeBuffer. */
    private static final long SMALL_PAGE_BYTES = 2L << 20;

    private static final long LARGE_PAGE_BYTES = 20L << 20;

    private Releasable() {}

    /**
     * Size of the pages of a segment; {@link #NO_PAGES} where it has none.
     *
     * @param chunked whether Lacuna's agent keeps it: all its pages are chunks of 2 MiB
     */
    public static long pageBytes(boolean chunked, boolean expandable, boolean large) {
        if (!expandable) {
            return NO_PAGES;
        }
        return large && !chunked ? LARGE_PAGE_BYTES : SMALL_PAGE_BYTES;
    }

    /** The same for the i-th of these segments of a device. */
    public static long pageBytes(DeviceHistory history, SegmentState segments, int i) {
        return pageBytes(history.chunked(), segments.expandable(i), segments.large(i));
    }

    /**
     * Bytes in whole pages of a free stretch.
     *
     * @param offset where it begins, from the beginning of its segment
     * @param bytes its length
     * @param pageBytes size of the segment's pages
     */
    static long wholePages(long offset, long bytes, long pageBytes) {
        if (pageBytes == NO_PAGES) {
            return 0;
        }
        long first = (offset + pageBytes - 1) / pageBytes * pageBytes;
        long last = (offset + bytes) / pageBytes * pageBytes;
        return Math.max(0, last - first);
    }
}
