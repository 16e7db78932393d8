package dev.lacuna.core.base.counters;

/**
 * What one pool holds.
 *
 * @param pool which pool
 * @param reservedBytes bytes taken from the device for this pool
 * @param allocatedBytes bytes of it in blocks handed to the trainer
 */
public record PoolUsage(String pool, long reservedBytes, long allocatedBytes) {
    /** The same of one of the agent's pools. */
    public PoolUsage(PoolName pool, long reservedBytes, long allocatedBytes) {
        this(pool.label(), reservedBytes, allocatedBytes);
    }
}
