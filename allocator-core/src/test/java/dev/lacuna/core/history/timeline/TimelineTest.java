package dev.lacuna.core.history.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.history.RandomHistory;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.LargestBlocks;
import dev.lacuna.core.history.model.MemoryAtMoment;
import java.util.Random;
import java.util.concurrent.FutureTask;
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

    @Property(tries = 15)
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
            }
            assertThat(reader.peak(from, to)).isEqualTo(firstPeak(reader, from, to));
        }
    }

    @Property(tries = 15)
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
                int moment = cut.peakMoment(c);
                for (MemorySeries series : MemorySeries.values()) {
                    assertThat(cut.atPeak(series, c)).isEqualTo(reader.at(series, moment));
                }
                long peak = cut.atPeak(MemorySeries.ALLOCATED, c);
                assertThat(peak).isEqualTo(cut.max(MemorySeries.ALLOCATED, c));
                assertThat(cut.peakMoment(c)).isGreaterThanOrEqualTo(c == 0 ? 0 : cut.peakMoment(c - 1));
            }
        }
    }

    @Property(tries = 20)
    void every_narrow_column_over_the_border_of_two_buckets_tells_its_first_peak(@ForAll long seed) {
        DeviceHistory history = RandomHistory.of(seed, 400);
        TimelineReader reader = Timeline.of(history).reader();
        TimelineCut cut = new TimelineCut();
        for (int border = Timeline.BUCKET; border < history.size(); border += Timeline.BUCKET) {
            for (int before = 1; before < Timeline.BUCKET; before += 5) {
                int[] edges = {border - before, Math.min(history.size(), border - before + Timeline.BUCKET)};
                reader.cut(edges, 1, cut);
                assertThat(cut.peakMoment(0)).isEqualTo(firstPeak(reader, edges[0], edges[1]));
            }
        }
    }

    @Test
    void a_reader_refuses_a_second_thread_however_seldom_they_would_meet() throws Exception {
        TimelineReader reader = Timeline.of(RandomHistory.of(1, 100)).reader();
        reader.at(50);
        FutureTask<MemoryAtMoment> elsewhere = new FutureTask<>(() -> reader.at(50));
        Thread other = new Thread(elsewhere, "other");
        other.start();
        assertThatThrownBy(elsewhere::get)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("and not to other");
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

    private static int firstPeak(TimelineReader reader, int from, int to) {
        long most = IntStream.range(from, to)
                .mapToLong(m -> reader.at(MemorySeries.ALLOCATED, m))
                .max()
                .orElseThrow();
        return IntStream.range(from, to)
                .filter(m -> reader.at(MemorySeries.ALLOCATED, m) == most)
                .findFirst()
                .orElseThrow();
    }

    private static int[] edges(int size, int columns) {
        return IntStream.rangeClosed(0, columns)
                .map(c -> (int) ((size + 1L) * c / columns))
                .toArray();
    }
}
