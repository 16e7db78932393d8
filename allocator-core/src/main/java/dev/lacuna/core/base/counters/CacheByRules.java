package dev.lacuna.core.base.counters;

/**
 * What goes back to the device at once when other rules come into force, by whose rules it was cached under: wholly free
 * segments, and whole free chunks of those in use where the device maps chunk by chunk.
 *
 * @param stockBytes by PyTorch's rules
 * @param lifetimeBytes by MindSpeed's
 * @param segregatedBytes by Lacuna's
 * @param prices what giving back, and compacting after it, took so far
 */
public record CacheByRules(long stockBytes, long lifetimeBytes, long segregatedBytes, SwitchPrices prices) {
    /** What a change to these rules gives back: all but their own. */
    public long givenBackBy(boolean optimisation, PoolPolicy policy) {
        long kept = !optimisation ? stockBytes : policy == PoolPolicy.LIFETIME ? lifetimeBytes : segregatedBytes;
        return stockBytes + lifetimeBytes + segregatedBytes - kept;
    }
}
