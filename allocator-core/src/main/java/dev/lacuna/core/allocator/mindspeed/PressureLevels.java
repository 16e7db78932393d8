package dev.lacuna.core.allocator.mindspeed;

import static dev.lacuna.core.allocator.block.BlockTable.NONE;

import dev.lacuna.core.allocator.block.BlockTable;
import dev.lacuna.core.allocator.block.RequestSize;
import dev.lacuna.core.allocator.lifetime.Lifetime;
import dev.lacuna.core.allocator.model.AllocationStats;

/**
 * The order in which MindSpeed's allocator looks for a place: each level gives up a little more of keeping lifetimes apart
 * ({@code malloc_internal} and the searches that it calls; docs/lifetime-pools.md).
 */
final class PressureLevels {
    /** myMaxSplitSize, called 1.67 G there: outside forward passes a block this large is kept from small requests. */
    private static final long KEPT_WHOLE_FROM_BYTES = 1_800_000_000;

    /** kLargeBuffer: a request that leaves less of such a block may have it all the same. */
    private static final long TOLERATED_REST_BYTES = 20L << 20;

    private final LifetimePools pools;
    private final BlockTable blocks;
    private final AllocationStats books;
    private final Runnable waitForStreams;
    private long refusedBytes;

    /**
     * @param books count each request for which all cached memory was given up
     * @param waitForStreams frees every block that only waits for a stream, before all cached memory is given up
     */
    PressureLevels(LifetimePools pools, BlockTable blocks, AllocationStats books, Runnable waitForStreams) {
        this.pools = pools;
        this.blocks = blocks;
        this.books = books;
        this.waitForStreams = waitForStreams;
    }

    /** A place for a request: the row of its block, or NONE when no level found one. */
    int place(long rounded, int stream, Lifetime lifetime, boolean inForward) {
        boolean small = RequestSize.small(rounded);
        LifetimePool own = pools.pool(small, lifetime);
        int block = reuse(own, rounded, stream, inForward);
        if (block == NONE) {
            block = pools.open(own, rounded, stream);
        }
        if (block == NONE) {
            block = reuseUnderPressure(own, rounded, stream, inForward);
        }
        if (block == NONE && small) {
            // From here on the request counts as a large one: if all else fails, its segment joins a large pool.
            own = pools.pool(false, lifetime);
            block = take(own, rounded, stream);
            if (block == NONE) {
                block = take(other(own), rounded, stream);
            }
        }
        return block != NONE ? block : openAfterFlush(own, rounded, stream);
    }

    /** Size of the segment that could not be had when a request failed last. */
    long refusedBytes() {
        return refusedBytes;
    }

    // ---------------------------------------------------------------- without pressure

    private int reuse(LifetimePool own, long rounded, int stream, boolean inForward) {
        int best = own.bestFit(rounded, stream);
        if (best != NONE && maySpare(own, best, rounded, inForward)) {
            own.take(best, rounded);
            return best;
        }
        LifetimePool other = other(own);
        return mayBorrow(other, inForward) ? take(other, rounded, stream) : NONE;
    }

    /** Whether a pool lets its own best fit go to a request of its own kind. */
    private boolean maySpare(LifetimePool own, int best, long rounded, boolean inForward) {
        if (own.isSmall()) {
            return true;
        }
        if (own.lifetime() == Lifetime.LONG) {
            return blocks.size(best) == own.segmentBytes(rounded) && !blocks.hasNeighbour(best);
        }
        boolean keptWhole = blocks.size(best) >= KEPT_WHOLE_FROM_BYTES
                && blocks.size(best) - rounded >= TOLERATED_REST_BYTES
                && !inForward;
        return !keptWhole;
    }

    /** Whether a pool serves requests of the other lifetime: long-lived memory may, while no forward pass needs it. */
    private static boolean mayBorrow(LifetimePool other, boolean inForward) {
        return other.isSmall() || other.lifetime() == Lifetime.LONG && !inForward;
    }

    // ---------------------------------------------------------------- under pressure

    /** The other lifetime's memory is spent first. Only one border holds: short lives stay out of long memory in a forward pass. */
    private int reuseUnderPressure(LifetimePool own, long rounded, int stream, boolean inForward) {
        LifetimePool other = other(own);
        boolean forbidden = !other.isSmall() && other.lifetime() == Lifetime.LONG && inForward;
        int block = forbidden ? NONE : take(other, rounded, stream);
        return block != NONE ? block : take(own, rounded, stream);
    }

    private int openAfterFlush(LifetimePool own, long rounded, int stream) {
        books.flush(() -> {
            waitForStreams.run();
            pools.releaseCached();
        });
        int block = pools.openAtLast(own, rounded, stream);
        if (block == NONE) {
            refusedBytes = own.segmentBytes(rounded);
        }
        return block;
    }

    private static int take(LifetimePool pool, long rounded, int stream) {
        int best = pool.bestFit(rounded, stream);
        if (best != NONE) {
            pool.take(best, rounded);
        }
        return best;
    }

    private LifetimePool other(LifetimePool pool) {
        return pools.pool(pool.isSmall(), pool.lifetime().other());
    }
}
