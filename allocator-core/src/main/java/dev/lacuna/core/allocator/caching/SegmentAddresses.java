package dev.lacuna.core.allocator.caching;

import dev.lacuna.core.allocator.model.Pool;

/**
 * Where new segments lie: the driver's decision, and the only thing about a caching allocator that its rules do not
 * determine. Addresses matter because of two free blocks of one size the lower is taken. A replay of a recorded run says here
 * where its segments really were.
 */
public interface SegmentAddresses {
    /** The driver has no memory. */
    long REFUSED = -1;

    /**
     * Takes a segment for a pool.
     *
     * @param bytes its size, a multiple of 512
     * @param stream the stream that it will serve
     * @return its address, ≥ 0, a multiple of 512 and clear of all segments of this pool that were not given back; or
     *     {@link #REFUSED}
     */
    long take(Pool pool, long bytes, int stream);

    /** A segment is held already when the model begins. */
    void hold(Pool pool, long address, long bytes);

    /** A segment, taken or held, goes back to the driver. */
    void giveBack(Pool pool, long address, long bytes);
}
