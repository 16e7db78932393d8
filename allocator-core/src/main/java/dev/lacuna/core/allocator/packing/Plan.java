package dev.lacuna.core.allocator.packing;

import java.util.Arrays;
import java.util.Comparator;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Where every block of some {@link Lifetimes} lies. Immutable; {@link #firstOverlap} proves it sound. */
public final class Plan {
    private final Lifetimes blocks;
    private final long[] offsets;
    private final long height;

    /** Takes a copy of the offsets, one per block, in bytes; those of blocks that need no room do not matter. */
    public Plan(Lifetimes blocks, long[] offsets) {
        if (offsets.length != blocks.count()) {
            throw new IllegalArgumentException(offsets.length + " offsets for " + blocks.count() + " blocks");
        }
        this.blocks = blocks;
        this.offsets = Arrays.copyOf(offsets, offsets.length);
        long top = 0;
        for (int i = 0; i < offsets.length; i++) {
            if (blocks.needsRoom(i)) {
                top = Math.max(top, Math.addExact(offsets[i], blocks.size(i)));
            }
        }
        height = top;
    }

    /** What is placed. */
    public Lifetimes blocks() {
        return blocks;
    }

    /** First byte of block i. */
    public long offset(int i) {
        return offsets[i];
    }

    /** Bytes from 0 to the end of the highest block. */
    public long height() {
        return height;
    }

    /** A block that lies below 0, or over another that lives at the same time; empty when the plan is sound. */
    public OptionalInt firstOverlap() {
        int[] byBirth = IntStream.range(0, blocks.count())
                .filter(blocks::needsRoom)
                .boxed()
                .sorted(Comparator.comparingLong(blocks::lower))
                .mapToInt(i -> i)
                .toArray();
        int[] byDeath = Arrays.stream(byBirth)
                .boxed()
                .sorted(Comparator.comparingLong(blocks::upper))
                .mapToInt(i -> i)
                .toArray();
        TreeMap<Long, Integer> live = new TreeMap<>();
        int dead = 0;
        for (int block : byBirth) {
            while (blocks.upper(byDeath[dead]) <= blocks.lower(block)) {
                live.remove(offsets[byDeath[dead++]]);
            }
            var below = live.floorEntry(offsets[block]);
            var above = live.higherKey(offsets[block]);
            boolean hit = offsets[block] < 0
                    || (below != null && below.getKey() + blocks.size(below.getValue()) > offsets[block])
                    || (above != null && above < offsets[block] + blocks.size(block));
            if (hit) {
                return OptionalInt.of(block);
            }
            live.put(offsets[block], block);
        }
        return OptionalInt.empty();
    }
}
