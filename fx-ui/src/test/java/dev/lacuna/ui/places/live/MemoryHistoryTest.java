package dev.lacuna.ui.places.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.Sample;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.base.event.MemoryEvents;
import dev.lacuna.ui.chart.Columns;
import dev.lacuna.ui.chart.Marker;
import dev.lacuna.ui.chart.TimeRange;
import dev.lacuna.ui.chart.TimelineFrame;
import dev.lacuna.ui.fakes.Counters;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryHistoryTest {
    private static final long MS = 1_000_000;
    private static final long MIB = 1L << 20;

    private final MemoryHistory history = new MemoryHistory();

    private void add(long ms, MemoryCounters counters, EventBatch events) {
        history.add(sample(ms, counters, events), counters);
    }

    private static Sample sample(long ms, MemoryCounters counters, EventBatch events) {
        return new Sample(
                1_700_000_000_000L + ms, ms * MS, 1, ProcessState.RUNNING, List.of(counters), events.build(0), 0);
    }

    private static Counters at(long ms) {
        return Counters.at(ms * MS);
    }

    private TimelineFrame all(long ms, int columns) {
        return history.frame(new TimeRange(1, ms * MS + 1), columns);
    }

    @Test
    void shows_a_peak_that_came_and_went_between_two_samples() {
        add(50, at(50).reserved(600 * MIB).allocated(100 * MIB).build(), new EventBatch());
        EventBatch burst =
                new EventBatch().add(60 * MS, EventKind.ALLOC, 400 * MIB).add(61 * MS, EventKind.FREE, 400 * MIB);
        add(100, at(100).reserved(600 * MIB).allocated(100 * MIB).build(), burst);
        assertThat(all(100, 10).allocated().largest(0)).isEqualTo(500 * MIB);
        assertThat(all(100, 1).allocated().largest(0)).isEqualTo(500 * MIB);
        assertThat(history.readingAt(100 * MS)).hasValueSatisfying(r -> {
            assertThat(r.allocated()).isEqualTo(100 * MIB);
            assertThat(r.allocatedPeak()).isEqualTo(500 * MIB);
        });
    }

    @Test
    void draws_no_course_where_events_tell_only_how_two_looks_differ() {
        add(50, at(50).reserved(600 * MIB).allocated(400 * MIB).build(), new EventBatch());
        EventBatch difference =
                new EventBatch().add(90 * MS, EventKind.FREE, 400 * MIB).add(91 * MS, EventKind.ALLOC, 400 * MIB);
        MemoryCounters after = at(100).reserved(600 * MIB).allocated(400 * MIB).build();
        history.addLooks(sample(100, after, difference), after);
        assertThat(history.readingAt(100 * MS)).hasValueSatisfying(r -> {
            assertThat(r.allocated()).isEqualTo(400 * MIB);
            assertThat(r.allocatedPeak()).isEqualTo(400 * MIB);
        });
        Columns allocated = all(100, 1).allocated();
        assertThat(allocated.min(0)).isEqualTo(400 * MIB);
    }

    @Test
    void follows_reserved_through_growth_and_release() {
        add(50, at(50).reserved(200 * MIB).allocated(100 * MIB).build(), new EventBatch());
        EventBatch events = new EventBatch()
                .add(60 * MS, EventKind.GROW, 300 * MIB, PoolName.STOCK_LARGE)
                .add(70 * MS, EventKind.RELEASE, 300 * MIB, PoolName.STOCK_LARGE);
        add(100, at(100).reserved(200 * MIB).allocated(100 * MIB).build(), events);
        assertThat(all(100, 4).reserved().largest(0)).isEqualTo(500 * MIB);
    }

    @Test
    void counts_an_event_that_is_newer_than_the_counters_forwards() {
        add(50, at(50).reserved(600 * MIB).allocated(100 * MIB).build(), new EventBatch());
        EventBatch late = new EventBatch().add(99 * MS, EventKind.ALLOC, 200 * MIB);
        add(100, at(98).reserved(600 * MIB).allocated(100 * MIB).build(), late);
        assertThat(all(100, 4).allocated().largest(0)).isEqualTo(300 * MIB);
    }

    @Test
    void adds_rounding_to_what_events_tell_of_requested() {
        add(
                50,
                at(50).reserved(600 * MIB)
                        .allocated(110 * MIB)
                        .requested(100 * MIB)
                        .build(),
                new EventBatch());
        EventBatch burst =
                new EventBatch().add(60 * MS, EventKind.ALLOC, 100 * MIB).add(61 * MS, EventKind.FREE, 100 * MIB);
        add(
                100,
                at(100).reserved(600 * MIB)
                        .allocated(110 * MIB)
                        .requested(100 * MIB)
                        .build(),
                burst);
        assertThat(all(100, 4).allocated().largest(0)).isEqualTo(210 * MIB);
        assertThat(all(100, 4).requested().largest(0)).isEqualTo(200 * MIB);
    }

    @Test
    void takes_the_agents_exact_figure_for_a_new_overall_peak() {
        add(
                50,
                at(50).reserved(600 * MIB)
                        .allocated(100 * MIB)
                        .peakAllocated(100 * MIB)
                        .build(),
                new EventBatch());
        add(
                100,
                at(100).reserved(600 * MIB)
                        .allocated(100 * MIB)
                        .peakAllocated(555 * MIB)
                        .build(),
                new EventBatch());
        assertThat(all(100, 4).allocated().largest(0)).isEqualTo(555 * MIB);
    }

    @Test
    void cuts_the_past_of_a_black_box_into_slices() {
        EventBatch past = new EventBatch();
        for (int i = 0; i < 100; i++) {
            past.add((1_000 + i * 20L) * MS, EventKind.ALLOC, MIB);
        }
        add(3_100, at(2_990).reserved(600 * MIB).allocated(100 * MIB).build(), past);
        TimelineFrame frame = history.frame(new TimeRange(1_000 * MS, 3_000 * MS), 20);
        assertThat(frame.allocated().max(2)).isLessThan(30 * MIB);
        assertThat(frame.allocated().max(10)).isBetween(45 * MIB, 65 * MIB);
        assertThat(frame.allocated().max(19)).isGreaterThan(95 * MIB);
    }

    @Test
    void marks_steps_and_what_was_switched_set_and_missed() {
        EventBatch events = new EventBatch()
                .add(60 * MS, EventKind.STEP, 7)
                .add(61 * MS, EventKind.OPTIMISATION, 1)
                .add(62 * MS, EventKind.LIMIT, 512 * MIB)
                .add(63 * MS, EventKind.OOM, 900 * MIB);
        add(50, at(50).build(), new EventBatch());
        add(100, at(100).build(), events);
        TimelineFrame frame = all(100, 100);
        assertThat(frame.stepCount()).isEqualTo(1);
        assertThat(frame.stepNs(0)).isEqualTo(60 * MS);
        assertThat(frame.markers())
                .extracting(Marker::key)
                .containsExactly(MemoryHistory.MARK_OPTIMISATION, MemoryHistory.MARK_LIMIT, MemoryHistory.MARK_OOM);
        assertThat(frame.markers().get(2).tone()).isEqualTo(Marker.Tone.ALARM);
    }

    @Test
    void leaves_other_devices_events_out() {
        add(50, at(50).reserved(600 * MIB).allocated(100 * MIB).build(), new EventBatch());
        MemoryEvents foreign = new MemoryEvents(
                0,
                1,
                new long[] {60 * MS},
                new long[1],
                new long[] {400 * MIB},
                new byte[] {(byte) (EventKind.ALLOC.ordinal() + 1)},
                new byte[] {-1},
                new byte[] {3},
                new int[1]);
        MemoryCounters now = at(100).reserved(600 * MIB).allocated(100 * MIB).build();
        history.add(new Sample(0, 100 * MS, 1, ProcessState.RUNNING, List.of(now), foreign, 0), now);
        assertThat(all(100, 4).allocated().largest(0)).isEqualTo(100 * MIB);
    }

    @Test
    void tells_wall_clock_time_of_a_moment() {
        assertThat(history.wallClockMs(0)).isEmpty();
        add(50, at(50).build(), new EventBatch());
        assertThat(history.wallClockMs(50 * MS)).hasValue(1_700_000_000_050L);
    }

    @Test
    void keeps_thirty_minutes_at_thirty_samples_a_second() {
        for (int i = 1; i <= MemoryHistory.SAMPLES; i++) {
            long ms = i * 1000L / 30;
            add(
                    ms,
                    at(ms).reserved(600 * MIB)
                            .allocated(i == 1 ? 500 * MIB : 100 * MIB)
                            .build(),
                    new EventBatch());
        }
        TimeRange extent = history.extent().orElseThrow();
        assertThat(extent.spanNs()).isGreaterThanOrEqualTo(1_799L * 1_000 * MS);
        assertThat(history.frame(extent, 900).allocated().largest(0)).isEqualTo(500 * MIB);
    }

    @Test
    void keeps_a_peak_of_a_microsecond_when_the_samples_around_it_are_gone() {
        add(50, at(50).reserved(600 * MIB).allocated(100 * MIB).build(), new EventBatch());
        EventBatch burst =
                new EventBatch().add(60 * MS, EventKind.ALLOC, 400 * MIB).add(61 * MS, EventKind.FREE, 400 * MIB);
        add(100, at(100).reserved(600 * MIB).allocated(100 * MIB).build(), burst);
        for (int i = 0; i < MemoryHistory.SAMPLES + 1000; i++) {
            long ms = 100 + 40L * (i + 1);
            add(ms, at(ms).reserved(600 * MIB).allocated(100 * MIB).build(), new EventBatch());
        }
        TimeRange all = history.extent().orElseThrow();
        assertThat(all.startNs()).isLessThan(2_000 * MS);
        assertThat(history.frame(all, 900).allocated().largest(0)).isEqualTo(500 * MIB);
        assertThat(history.readingAt(200 * MS).orElseThrow().reserved()).isEqualTo(600 * MIB);
    }

    @Test
    void marks_growth_by_a_tick_that_never_covers_the_picture() {
        EventBatch events = new EventBatch();
        for (int i = 0; i < 30; i++) {
            events.add((60 + 20L * i) * MS, EventKind.GROW, MIB);
        }
        add(50, at(50).build(), new EventBatch());
        add(700, at(700).build(), events);
        assertThat(all(700, 600).markers()).hasSize(30).allMatch(m -> m.tone() == Marker.Tone.FAINT);
        assertThat(all(700, 100).markers()).isEmpty();
    }

    @Test
    void forgets_everything_for_another_process() {
        add(50, at(50).build(), new EventBatch().add(40 * MS, EventKind.OOM, 1));
        history.clear();
        assertThat(history.extent()).isEmpty();
        assertThat(all(100, 4).markers()).isEmpty();
    }
}
