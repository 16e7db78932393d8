package dev.lacuna.core.history.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IntervalsTest {
    @Test
    void hold_what_a_set_of_single_addresses_holds() {
        Random random = new Random(5);
        for (int round = 0; round < 200; round++) {
            Intervals intervals = new Intervals();
            BitSet expected = new BitSet();
            for (int i = 0; i < 60; i++) {
                int from = random.nextInt(100);
                int to = from + 1 + random.nextInt(20);
                if (random.nextBoolean()) {
                    intervals.add(from, to);
                    expected.set(from, to);
                } else {
                    intervals.remove(from, to);
                    expected.clear(from, to);
                }
                requireEqual(intervals, expected);
            }
        }
    }

    private static void requireEqual(Intervals intervals, BitSet expected) {
        for (int at = 0; at < 125; at++) {
            assertThat(intervals.endAt(at)).isEqualTo(expected.nextClearBit(at));
            if (!expected.get(at)) {
                int next = expected.nextSetBit(at);
                assertThat(intervals.nextFrom(at, 1000)).isEqualTo(next < 0 ? 1000 : next);
            }
        }
    }
}
