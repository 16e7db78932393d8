package dev.lacuna.bridge.hosted;

import dev.lacuna.core.base.counters.PoolName;

/**
 * Where a block lies: never an address, so that placements of two runs compare.
 *
 * @param pool the pool
 * @param segment stock pools: number of the segment in order of creation; segregated ones: 0
 * @param offset bytes, in the segment or in the segregated pool's range
 * @param blockBytes rounded size
 */
public record HostedPlacement(PoolName pool, int segment, long offset, long blockBytes) {}
