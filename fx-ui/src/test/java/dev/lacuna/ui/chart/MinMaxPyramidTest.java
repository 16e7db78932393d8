package dev.lacuna.ui.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;

class MinMaxPyramidTest {
    private static final int CAPACITY = 2 * MinMaxPyramid.GRAIN;

    @Test
    void finds_the_same_extremes_as_looking_at_every_value() {
        Random random = new Random(1);
        MinMaxPyramid pyramid = new MinMaxPyramid(CAPACITY);
        int count = 3 * CAPACITY + 777;
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = random.nextInt(1_000_000);
            pyramid.put(i, values[i] - 5, values[i] + 5);
        }
        long[] found = new long[2];
        for (int round = 0; round < 2000; round++) {
            int from = count - CAPACITY + random.nextInt(CAPACITY);
            int to = from + random.nextInt(count - from + 1);
            pyramid.extremes(from, to, found);
            long min = Long.MAX_VALUE;
            long max = Long.MIN_VALUE;
            for (int i = from; i < to; i++) {
                min = Math.min(min, values[i] - 5);
                max = Math.max(max, values[i] + 5);
            }
            assertThat(found).as("%d to %d", from, to).containsExactly(min, max);
        }
    }

    @Test
    void knows_no_extremes_of_nothing() {
        MinMaxPyramid pyramid = new MinMaxPyramid(CAPACITY);
        long[] found = new long[2];
        pyramid.extremes(3, 3, found);
        assertThat(found[0]).isGreaterThan(found[1]);
    }

    @Test
    void refuses_a_capacity_whose_nodes_would_mix_old_and_new() {
        assertThatThrownBy(() -> new MinMaxPyramid(MinMaxPyramid.GRAIN + 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
