package dev.lacuna.core.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class TimelineTest {
    @Property(tries = 40)
    void the_parts_of_the_gap_sum_to_what_is_reserved_and_not_allocated(@ForAll long seed) {
        TimelineReader reader = Timeline.of(RandomHistory.of(seed, 200)).reader();
        for (int moment = 0; moment <= 200; moment++) {
            MemoryAtMoment memory = reader.at(moment);
            assertThat(memory.gap().totalBytes()).isEqualTo(memory.reserved() - memory.allocated());
            assertThat(memory.gap().splitBytes()).isNotNegative();
        }
    }

    @Property(tries = 60)
    void extremes_are_those_of_every_moment_one_by_one(@ForAll long seed) {
        DeviceHistory history = RandomHistory.of(seed, 900);
        TimelineReader reader = Timeline.of(history).reader();
        Random random = new Random(seed);
        for (int i = 0; i < 20; i++) {
            int from = random.nextInt(history.size() + 1);
            int to = from + 1 + random.nextInt(history.size() + 1 - from);
            for (MemorySeries series : MemorySeries.values()) {
                long highest = IntStream.range(from, to)
                        .mapToLong(m -> reader.at(series, m))
                        .max()
                        .orElseThrow();
                assertThat(reader.highest(series, from, to)).isEqualTo(highest);
                int peak = reader.peak(series, from, to);
                assertThat(reader.at(series, peak)).isEqualTo(highest);
                assertThat(IntStream.range(from, peak).noneMatch(m -> reader.at(series, m) >= highest))
                        .isTrue();
            }
        }
    }

    @Property(tries = 40)
    void a_cut_leaves_out_no_moment_however_wide_its_columns(@ForAll long seed) {
        DeviceHistory history = RandomHistory.of(seed, 1200);
        TimelineReader reader = Timeline.of(history).reader();
        for (int columns : new int[] {1, 3, 7, 40, 3000}) {
            TimelineCut cut = new TimelineCut();
            reader.cut(edges(history.size(), columns), columns, cut);
            for (MemorySeries series : MemorySeries.values()) {
                assertThat(cut.largest(series)).isEqualTo(reader.highest(series, 0, history.size() + 1));
            }
            for (int c = 0; c < columns; c++) {
                long peak = cut.atPeak(MemorySeries.ALLOCATED, c);
                assertThat(peak).isEqualTo(cut.max(MemorySeries.ALLOCATED, c));
                assertThat(cut.peakMoment(c)).isGreaterThanOrEqualTo(c == 0 ? 0 : cut.peakMoment(c - 1));
            }
        }
    }

    @Test
    void the_largest_blocks_are_those_that_some_column_shows() {
        DeviceHistory history = RandomHistory.of(5, 600);
        LargestBlocks largest = new LargestBlocks(history);
        int[] moments = {100, 300, 500};
        int[] all = largest.aliveAt(moments, Integer.MAX_VALUE);
        int[] expected = IntStream.range(0, history.allocations())
                .filter(a -> IntStream.of(moments).anyMatch(m -> history.bornAt(a) < m && m <= history.freedAt(a)))
                .toArray();
        assertThat(all).isEqualTo(expected);
        int[] few = largest.aliveAt(moments, 5);
        long smallest = IntStream.of(few).mapToLong(history::bytesOf).min().orElseThrow();
        assertThat(IntStream.of(all).filter(a -> history.bytesOf(a) > smallest).boxed())
                .isSubsetOf(IntStream.of(few).boxed().toList());
    }

    private static int[] edges(int size, int columns) {
        return IntStream.rangeClosed(0, columns)
                .map(c -> (int) ((size + 1L) * c / columns))
                .toArray();
    }
}
