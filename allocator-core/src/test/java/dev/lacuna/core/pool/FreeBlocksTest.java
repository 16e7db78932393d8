package dev.lacuna.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class FreeBlocksTest {
    @Property(tries = 100)
    void keeps_the_order_of_stream_size_offset(@ForAll long seed) {
        Random random = new Random(seed);
        BlockTable blocks = new BlockTable();
        FreeBlocks free = new FreeBlocks(blocks);
        TreeSet<Integer> expected = new TreeSet<>(Comparator.<Integer>comparingInt(blocks::stream)
                .thenComparingLong(blocks::size)
                .thenComparingLong(blocks::offset));
        List<Integer> members = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            if (members.isEmpty() || random.nextInt(3) > 0) {
                int b = blocks.create(0, 0, random.nextInt(3), i * 1024L, 512L * (1 + random.nextInt(20)));
                free.add(b);
                expected.add(b);
                members.add(b);
            } else {
                int b = members.remove(random.nextInt(members.size()));
                free.remove(b);
                expected.remove(b);
                blocks.remove(b);
            }
            int stream = random.nextInt(3);
            long size = 512L * random.nextInt(22);
            assertThat(inOrderFrom(free, stream, size))
                    .isEqualTo(expected.stream()
                            .filter(b ->
                                    blocks.stream(b) > stream || blocks.stream(b) == stream && blocks.size(b) >= size)
                            .toList());
        }
        assertThat(free.count()).isEqualTo(expected.size());
    }

    private static List<Integer> inOrderFrom(FreeBlocks free, int stream, long size) {
        List<Integer> found = new ArrayList<>();
        for (int b = free.firstAtLeast(stream, size); b != BlockTable.NONE; b = free.next(b)) {
            found.add(b);
        }
        return found;
    }
}
