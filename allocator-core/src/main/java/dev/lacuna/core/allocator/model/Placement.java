package dev.lacuna.core.allocator.model;

/**
 * Where a live block lies. A placement never is an address, so that two homes of one algorithm can be compared.
 *
 * @param pool the pool it came from
 * @param segment number of its segment in order of creation; 0 in segregated pools
 * @param offsetBytes in the segment; in segregated pools, in the pool's virtual range
 * @param blockBytes size of the block, rounding included
 * @param split whether the block has a neighbour in its segment or range
 */
public record Placement(Pool pool, int segment, long offsetBytes, long blockBytes, boolean split) {}
