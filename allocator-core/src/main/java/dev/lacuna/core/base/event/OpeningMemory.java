package dev.lacuna.core.base.event;

import java.util.List;

/**
 * What an allocator held when its recording began, for a model that is to go on from there.
 *
 * @param segments its segments, with names 0, 1, … for their live blocks: the numbers of the first requests of the trace, which
 *     ask for these blocks from an allocator that cannot go on from segments
 */
public record OpeningMemory(List<HeldSegment> segments) {

    /** Checks that the names count the live blocks. */
    public OpeningMemory {
        segments = List.copyOf(segments);
        int[] names = segments.stream()
                .flatMap(segment -> segment.blocks().stream())
                .filter(block -> !block.free())
                .mapToInt(block -> block.id().getAsInt())
                .sorted()
                .toArray();
        for (int i = 0; i < names.length; i++) {
            if (names[i] != i) {
                throw new IllegalArgumentException("live blocks are not named 0 … " + (names.length - 1));
            }
        }
    }

    /** Live blocks in it. */
    public int liveBlocks() {
        return (int) segments.stream()
                .flatMap(segment -> segment.blocks().stream())
                .filter(block -> !block.free())
                .count();
    }

    /** What it takes from the device, in bytes; more than a long counts is the largest long. */
    public long reservedBytes() {
        long sum = 0;
        for (HeldSegment segment : segments) {
            sum = segment.bytes() > Long.MAX_VALUE - sum ? Long.MAX_VALUE : sum + segment.bytes();
        }
        return sum;
    }
}
