package dev.lacuna.core.trace.line;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class BlockNumbersTest {
    @Test
    void numbers_stay_as_small_as_the_most_blocks_that_were_live_at_once() {
        BlockNumbers blocks = new BlockNumbers(new BlockNumbers.SpareNumbers());
        for (long i = 0; i < 100_000; i++) {
            assertThat(blocks.born(i)).isLessThan(10);
            if (i >= 9) {
                blocks.freed(i - 9);
            }
        }
    }

    /** Few names that collide often, against the map of the library. */
    @Property(tries = 200)
    void answers_as_a_map_does(@ForAll long seed, @ForAll @IntRange(min = 1, max = 4000) int names) {
        Random random = new Random(seed);
        BlockNumbers blocks = new BlockNumbers(new BlockNumbers.SpareNumbers());
        Map<Long, Integer> expected = new HashMap<>();
        List<Long> pool = new ArrayList<>();
        for (int i = 0; i < names; i++) {
            pool.add(random.nextBoolean() ? random.nextLong() : i * 512L);
        }
        for (int i = 0; i < 5 * names; i++) {
            long name = pool.get(random.nextInt(names));
            if (random.nextInt(5) < 3) {
                int block = blocks.born(name);
                assertThat(block == BlockNumbers.REFUSED).isEqualTo(expected.containsKey(name));
                if (block != BlockNumbers.REFUSED) {
                    expected.put(name, block);
                }
            } else {
                Integer block = expected.remove(name);
                assertThat(blocks.freed(name)).isEqualTo(block == null ? BlockNumbers.REFUSED : block);
            }
        }
        assertThat(new HashSet<>(expected.values())).hasSameSizeAs(expected.keySet());
    }
}
