package dev.lacuna.core.allocator.model;

import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.event.OpeningMemory;
import java.util.Optional;

/**
 * A model of an allocator on one {@link Device}. It is a deterministic function of the calls made: no clock and no real
 * address enters a decision. Not thread-safe.
 *
 * <p>Blocks are named by the caller with small non-negative ids (they index arrays); an id may be used again once its
 * block was freed.
 */
public interface Allocator {
    /** The policy's name on the command line, such as {@code segregated}. */
    String name();

    /**
     * Goes on from what an allocator held already, whose blocks keep their names. To be called before any request.
     *
     * @param held no more than the device allows
     * @return whether it did; an allocator that makes no such segments does not, and has to be asked for the blocks
     */
    default boolean adopt(OpeningMemory held) {
        return false;
    }

    /**
     * Asks for memory.
     *
     * @param id name of the block, ≥ 0 and not live
     * @param bytes bytes asked for, ≥ 0
     * @param stream the stream that will use the block, 0 where there is only one
     * @throws IllegalStateException when a block of this id is live
     */
    Outcome allocate(int id, long bytes, int stream);

    /** Gives a block back. Returns false, and changes nothing, when no block of this id is live. */
    boolean free(int id);

    /** Marks a live block as used by another stream: once freed it waits for {@link #streamDone}. */
    void recordStream(int id, int stream);

    /** Everything that {@code stream} had to do with blocks freed so far is done. */
    void streamDone(int stream);

    /** A phase of training begins or ends. Ends without a beginning change nothing. */
    void phase(Phase phase, boolean begin);

    /** Gives all cached memory back to the device. */
    void emptyCache();

    /**
     * Sets the cap on reserved, releasing cached memory to reach it; live blocks are never touched.
     *
     * @param bytes the cap, 0 &lt; bytes ≤ total
     * @return reserved above the cap that live blocks hold, 0 when the cap is reached
     */
    long limit(long bytes);

    /** The same as a share of the device's total, 0 &lt; fraction ≤ 1. */
    long fraction(double fraction);

    /** Other processes hold this many bytes of the device from now on. */
    void setOutsideBytes(long bytes);

    /** Where the live block of this id lies; empty when none is. */
    Optional<Placement> placement(int id);

    /** All counters now. Times are 0: a model has no clock. */
    MemoryCounters counters();

    /** Bytes taken from the device now; cheaper than {@link #counters}. */
    long reservedBytes();

    /** Bytes in live blocks now; cheaper than {@link #counters}. */
    long allocatedBytes();

    /** The highest values so far. */
    Peaks peaks();

    /** Cached memory given back to find room, so far. */
    Flushes flushes();

    /** Free blocks that have a neighbour in their segment or range: the pieces of the gap's split part. May be slow. */
    long splitBlocks();

    /**
     * The message of the request that ran out of memory last, with the figures as they are now: ask before the next call.
     * Empty when none did.
     */
    String outOfMemoryMessage();
}
