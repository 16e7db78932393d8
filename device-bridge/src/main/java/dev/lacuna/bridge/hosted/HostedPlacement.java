package dev.lacuna.bridge.hosted;

import dev.lacuna.bridge.hosted.AgentAbi.Placed;
import dev.lacuna.core.base.counters.PoolName;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Where a block lies: never an address, so that placements of two runs compare.
 *
 * @param pool the pool
 * @param segment stock pools: number of the segment in order of creation; segregated ones: 0
 * @param offset bytes, in the segment or in the segregated pool's range
 * @param blockBytes rounded size
 */
public record HostedPlacement(PoolName pool, int segment, long offset, long blockBytes) {
    /** As the agent tells it; empty where there is no block. */
    static Optional<HostedPlacement> read(ByteBuffer from, int at) {
        long blockBytes = from.getLong(at + Placed.BLOCK_BYTES.offset());
        if (blockBytes == 0) {
            return Optional.empty();
        }
        return PoolName.ofCode(from.getInt(at + Placed.POOL.offset()))
                .map(pool -> new HostedPlacement(
                        pool,
                        from.getInt(at + Placed.SEGMENT.offset()),
                        from.getLong(at + Placed.OFFSET.offset()),
                        blockBytes));
    }
}
