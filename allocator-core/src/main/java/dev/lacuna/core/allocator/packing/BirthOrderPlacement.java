package dev.lacuna.core.allocator.packing;

import java.util.Arrays;
import java.util.Comparator;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Best fit in order of birth, as an allocator without foresight does it, in O(n log n): what is left when there are too many
 * blocks for anything that compares pairs.
 */
final class BirthOrderPlacement {
    private record Gap(long size, long offset) {}

    private final TreeMap<Long, Long> gaps = new TreeMap<>();
    private final TreeSet<Gap> bySize =
            new TreeSet<>(Comparator.comparingLong(Gap::size).thenComparingLong(Gap::offset));

    /** Offsets of the rows. */
    long[] run(Cliques cliques, long[] size) {
        int n = size.length;
        long[] offset = new long[n];
        Integer[] births = IntStream.range(0, n).boxed().toArray(Integer[]::new);
        Integer[] deaths = births.clone();
        Arrays.sort(births, Comparator.comparingInt(k -> cliques.from[k]));
        Arrays.sort(deaths, Comparator.comparingInt(k -> cliques.until[k]));
        add(0, Long.MAX_VALUE);
        int dead = 0;
        for (int k : births) {
            while (cliques.until[deaths[dead]] <= cliques.from[k]) {
                int gone = deaths[dead++];
                add(offset[gone], size[gone]);
            }
            Gap gap = bySize.ceiling(new Gap(size[k], 0));
            remove(gap.offset(), gap.size());
            offset[k] = gap.offset();
            if (gap.size() > size[k]) {
                add(gap.offset() + size[k], gap.size() - size[k]);
            }
        }
        return offset;
    }

    private void add(long offset, long size) {
        long from = offset;
        long bytes = size;
        var below = gaps.lowerEntry(offset);
        if (below != null && below.getKey() + below.getValue() == offset) {
            from = below.getKey();
            bytes += below.getValue();
            remove(below.getKey(), below.getValue());
        }
        Long above = gaps.get(offset + size);
        if (above != null) {
            remove(offset + size, above);
            bytes += above;
        }
        gaps.put(from, bytes);
        bySize.add(new Gap(bytes, from));
    }

    private void remove(long offset, long size) {
        gaps.remove(offset);
        bySize.remove(new Gap(size, offset));
    }
}
