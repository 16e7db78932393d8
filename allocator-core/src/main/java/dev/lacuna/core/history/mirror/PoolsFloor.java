package dev.lacuna.core.history.mirror;

import dev.lacuna.core.allocator.block.RequestSize;
import dev.lacuna.core.allocator.model.Device;
import java.util.Optional;

/**
 * The least that Lacuna's pools would reserve for the blocks that a process holds at one moment: each size class takes whole chunks
 * (docs/allocator.md, "Segregated"). What a whole run takes is more, by what comes and goes: that is for a recording to say.
 *
 * @param reservedBytes what was reserved for them at that moment
 * @param allocatedBytes what the blocks take, rounded as requests are
 * @param leastBytes what the pools would reserve for them at least
 * @param blocks how many there are
 */
public record PoolsFloor(long reservedBytes, long allocatedBytes, long leastBytes, int blocks) {
    /** Of the blocks of a map; empty where there is none, or where it lacks some. */
    public static Optional<PoolsFloor> of(LiveBlocks map) {
        if (map.segments().isEmpty() || map.coverage().partial()) {
            return Optional.empty();
        }
        long small = 0;
        long large = 0;
        int blocks = 0;
        LiveBlocks.Pieces pieces = map.pieces();
        for (int i = 0; i < pieces.size(); i++) {
            if (pieces.kind(i) == LiveBlocks.Kind.BLOCK) {
                long bytes = RequestSize.rounded(pieces.requested(i));
                small += RequestSize.small(bytes) ? bytes : 0;
                large += RequestSize.small(bytes) ? 0 : bytes;
                blocks++;
            }
        }
        long reserved =
                map.segments().stream().mapToLong(LiveBlocks.Segment::bytes).sum();
        return Optional.of(new PoolsFloor(reserved, small + large, chunks(small) + chunks(large), blocks));
    }

    /** Whole chunks for so many bytes. */
    private static long chunks(long bytes) {
        return (bytes + Device.SLOT_BYTES - 1) / Device.SLOT_BYTES * Device.SLOT_BYTES;
    }
}
