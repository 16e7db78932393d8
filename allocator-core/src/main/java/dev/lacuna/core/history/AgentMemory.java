package dev.lacuna.core.history;

import dev.lacuna.core.memory.PoolName;

/** What the agent's pools say of the memory behind them. */
final class AgentMemory {
    private AgentMemory() {}

    /** Whether blocks above 1 MiB live in this pool. */
    static boolean large(PoolName pool) {
        return pool == PoolName.STOCK_LARGE || pool == PoolName.SHORT_LARGE || pool == PoolName.LONG_LARGE;
    }

    /** Whether a wire code names a pool of stock segments, or none: these go back as a whole. */
    static boolean stock(int poolCode) {
        return PoolName.ofCode(poolCode).filter(PoolName::segregated).isEmpty();
    }

    /** Long- and short-lived blocks of a size class share a range of addresses: it goes by the short pool's name. */
    static int home(int poolCode) {
        int firstLong = PoolName.LONG_SMALL.ordinal();
        return poolCode >= firstLong ? poolCode - firstLong + PoolName.SHORT_SMALL.ordinal() : poolCode;
    }

    /** What a request takes at least: both policies hand out whole multiples of 512 bytes. */
    static long rounded(long requested) {
        return Math.max(512, (Math.min(requested, 1L << 50) + 511) & -512);
    }
}
