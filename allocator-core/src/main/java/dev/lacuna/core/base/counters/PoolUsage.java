package dev.lacuna.core.base.counters;

/**
 * What one pool holds.
 *
 * @param pool which pool
 * @param reservedBytes bytes taken from the device for this pool
 * @param allocatedBytes bytes of it in blocks handed to the trainer
 */
public record PoolUsage(PoolName pool, long reservedBytes, long allocatedBytes) {}
