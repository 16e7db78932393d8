package dev.lacuna.core.history.model;

import dev.lacuna.core.allocator.block.RequestSize;
import dev.lacuna.core.base.counters.PoolName;

/** What the agent's pools say of the memory behind them. */
public final class AgentMemory {
    /** More than any device has; what a damaged file claims must not overflow. */
    private static final long MOST_REQUESTED = 1L << 50;

    private AgentMemory() {}

    /** Whether a wire code names a pool of stock segments, or none: these go back as a whole. */
    public static boolean stock(int poolCode) {
        return PoolName.ofCode(poolCode).filter(PoolName::segregated).isEmpty();
    }

    /** Long- and short-lived blocks of a size class share a range of addresses: it goes by the short pool's name. */
    public static int home(int poolCode) {
        int firstLong = PoolName.LONG_SMALL.ordinal();
        return poolCode >= firstLong ? poolCode - firstLong + PoolName.SHORT_SMALL.ordinal() : poolCode;
    }

    /** What a request takes at least: both policies hand out whole multiples of 512 bytes. */
    public static long rounded(long requested) {
        return Math.max(RequestSize.UNIT_BYTES, RequestSize.rounded(Math.min(requested, MOST_REQUESTED)));
    }
}
