package dev.lacuna.core.diagnosis.snapshot.evidence;

import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.trace.snapshot.model.PoolId;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;

/**
 * What room there was for one request, among the segments that could serve it.
 *
 * @param freeBytes free in all of them
 * @param largestHole the largest piece of it
 * @param between what stands between enough of it in one segment; empty where no segment has enough
 */
public record RoomFor(long freeBytes, long largestHole, Optional<Between> between) {
    /** PyTorch's kSmallSize: larger requests are served from large pools. */
    static final long SMALL_BYTES = 1L << 20;

    /**
     * The fewest bytes of blocks that, were they elsewhere, would leave one hole large enough.
     *
     * @param segment the segment
     * @param blocks allocations that stand in the way, by address
     * @param bytes their bytes
     */
    public record Between(SegmentAtMoment segment, int[] blocks, long bytes) {}

    /** The room for a request of so many bytes on a stream of a pool. */
    public static RoomFor of(Occupancy occupancy, long bytes, long stream, PoolId pool) {
        boolean large = bytes > SMALL_BYTES;
        long free = 0;
        long hole = 0;
        Optional<Between> best = Optional.empty();
        for (SegmentAtMoment segment : occupancy.segments()) {
            if (segment.serves(stream, pool, large)) {
                free += segment.freeBytes();
                hole = Math.max(hole, segment.largestHole(occupancy.history()));
                best = fewer(best, between(occupancy.history(), segment, bytes));
            }
        }
        return new RoomFor(free, hole, best);
    }

    private static Optional<Between> fewer(Optional<Between> a, Optional<Between> b) {
        return b.isPresent() && (a.isEmpty() || b.get().bytes() < a.get().bytes()) ? b : a;
    }

    /** Slides a window from hole to hole over the segment; each hole enters and leaves it once. */
    private static Optional<Between> between(DeviceHistory history, SegmentAtMoment segment, long wanted) {
        int[] blocks = segment.blocks();
        int first = 0;
        long standing = 0;
        Optional<Between> best = Optional.empty();
        for (int last = 0; last < blocks.length; last++) {
            standing += history.bytesOf(blocks[last]);
            while (first < last && roomBetween(history, segment, first + 1, last) >= wanted) {
                standing -= history.bytesOf(blocks[first++]);
            }
            if (roomBetween(history, segment, first, last) >= wanted) {
                Between found = new Between(segment, Arrays.copyOfRange(blocks, first, last + 1), standing);
                best = fewer(best, Optional.of(found));
            }
        }
        return best;
    }

    /** The hole that appears when the blocks from first to last go. */
    private static long roomBetween(DeviceHistory history, SegmentAtMoment segment, int first, int last) {
        int[] blocks = segment.blocks();
        long from = first == 0 ? segment.address() : end(history, blocks[first - 1]);
        long to = last + 1 == blocks.length ? segment.end() : history.addressOf(blocks[last + 1]);
        return to - from;
    }

    private static long end(DeviceHistory history, int block) {
        return history.addressOf(block) + history.bytesOf(block);
    }

    /** The largest of the blocks in the way. */
    public static int largest(DeviceHistory history, Between between) {
        return Arrays.stream(between.blocks())
                .boxed()
                .max(Comparator.comparingLong(history::bytesOf))
                .orElseThrow();
    }
}
