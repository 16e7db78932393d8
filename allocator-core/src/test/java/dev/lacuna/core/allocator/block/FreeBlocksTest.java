package dev.lacuna.core.allocator.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class FreeBlocksTest {
    @Property(tries = 100)
    void keeps_each_stream_in_the_order_of_size_and_offset(@ForAll long seed) {
        Random random = new Random(seed);
        BlockTable blocks = new BlockTable();
        FreeBlocks free = new FreeBlocks(blocks);
        int sizeBits = 5 + random.nextInt(40);
        TreeSet<Integer> expected = new TreeSet<>(Comparator.<Integer>comparingInt(blocks::stream)
                .thenComparingLong(blocks::size)
                .thenComparingLong(blocks::offset));
        List<Integer> members = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            if (members.isEmpty() || random.nextInt(3) > 0) {
                int b = blocks.create(0, 0, streamOf(random), i * 1024L, size(random, sizeBits));
                free.add(b);
                expected.add(b);
                members.add(b);
            } else {
                int b = members.remove(random.nextInt(members.size()));
                free.remove(b);
                expected.remove(b);
                blocks.remove(b);
            }
            int stream = streamOf(random);
            long size = size(random, sizeBits);
            List<Integer> ofStream =
                    expected.stream().filter(b -> blocks.stream(b) == stream).toList();
            assertThat(upwards(free, stream, size))
                    .isEqualTo(ofStream.stream()
                            .filter(b -> blocks.size(b) >= size)
                            .toList());
            List<Integer> reversed = new ArrayList<>(ofStream);
            Collections.reverse(reversed);
            assertThat(downwards(free, stream)).isEqualTo(reversed);
        }
        assertThat(free.count()).isEqualTo(expected.size());
    }

    @Property
    void bins_grow_with_the_size_and_there_is_one_for_every_size(
            @ForAll @LongRange(min = 0) long a, @ForAll @LongRange(min = 0) long b) {
        assertThat(SizeBins.binOf(a)).isBetween(0, SizeBins.BINS - 1);
        assertThat(Integer.compare(SizeBins.binOf(a), SizeBins.binOf(b)) * Long.compare(a, b))
                .isNotNegative();
    }

    private List<Integer> upwards(FreeBlocks free, int stream, long size) {
        List<Integer> found = new ArrayList<>();
        for (int b = free.firstAtLeast(stream, size); b != BlockTable.NONE; b = free.next(b)) {
            found.add(b);
        }
        return found;
    }

    private List<Integer> downwards(FreeBlocks free, int stream) {
        List<Integer> found = new ArrayList<>();
        for (int b = free.last(stream); b != BlockTable.NONE; b = free.previous(b)) {
            found.add(b);
        }
        return found;
    }

    /** A few streams, as far apart as handles are. */
    private static int streamOf(Random random) {
        return random.nextInt(7) * 0x10001;
    }

    private static long size(Random random, int bits) {
        return 512 * (1 + (random.nextLong() >>> (63 - random.nextInt(bits))));
    }
}
