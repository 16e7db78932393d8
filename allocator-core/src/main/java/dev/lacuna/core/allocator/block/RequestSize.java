package dev.lacuna.core.allocator.block;

/** How requests are rounded and sorted into small and large ones (docs/allocator.md; PyTorch's constants). */
public final class RequestSize {
    /** Requests are rounded to whole units of this: PyTorch's kMinBlockSize. */
    public static final long UNIT_BYTES = 512;

    /** Largest request served from a small pool: PyTorch's kSmallSize. */
    public static final long SMALL_BYTES = 1L << 20;

    /** Larger requests fail without being tried, as in PyTorch. */
    public static final long LARGEST_BYTES = 1L << 60;

    private RequestSize() {}

    /** The block size that a request of this many bytes (1 … 2^60) needs. */
    public static long rounded(long bytes) {
        return (bytes + UNIT_BYTES - 1) & -UNIT_BYTES;
    }

    /** Whether a rounded size belongs to the small pools. */
    public static boolean small(long rounded) {
        return rounded <= SMALL_BYTES;
    }
}
