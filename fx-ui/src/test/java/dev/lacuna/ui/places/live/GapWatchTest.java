package dev.lacuna.ui.places.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.PeakGap;
import dev.lacuna.core.base.counters.WholeSteps;
import dev.lacuna.ui.fakes.Counters;
import org.junit.jupiter.api.Test;

class GapWatchTest {
    private static final long GIB = 1L << 30;
    private static final long MS = 1_000_000;

    private final WholeSteps steps = new WholeSteps();
    private final GapWatch watch = new GapWatch(steps);

    private void see(long ms, Counters counters) {
        MemoryCounters now = counters.build();
        steps.add(now);
        watch.add(ms * MS, now);
    }

    private static Counters moment() {
        return Counters.at(1);
    }

    /** Three moments of steps with these peaks: the third step is a whole one. */
    private void threeSteps(long reserved, long allocated, Counters last) {
        see(0, moment().split(0).step(1, reserved, allocated, MS, 0));
        see(10, moment().split(0).step(2, reserved, allocated, MS, 0));
        see(20, last.step(3, reserved, allocated, MS, 0));
    }

    @Test
    void a_training_that_marks_no_steps_is_judged_by_its_last_moments() {
        see(0, moment().reserved(7 * GIB).allocated(2 * GIB).split(GIB));
        see(50, moment().reserved(7 * GIB).allocated(5 * GIB).split(3 * GIB / 2));
        assertThat(watch.gap()).hasValueSatisfying(window -> {
            assertThat(window.gap()).isEqualTo(new PeakGap(7 * GIB, 5 * GIB));
            assertThat(window.steps()).isEmpty();
        });
        assertThat(watch.notice(GIB)).hasValueSatisfying(n -> {
            assertThat(n.severity()).isEqualTo(GapNotice.Severity.WARNING);
            assertThat(n.part()).isEqualTo(GapNotice.Part.SPLIT);
            assertThat(n.canOptimise()).isTrue();
        });
    }

    @Test
    void the_gap_of_whole_steps_has_nothing_to_do_with_the_moment() {
        threeSteps(7 * GIB, 5 * GIB, moment().reserved(7 * GIB).allocated(GIB));
        assertThat(watch.gap()).hasValueSatisfying(window -> {
            assertThat(window.gap().bytes()).isEqualTo(2 * GIB);
            assertThat(window.steps().orElseThrow().lastStep()).isEqualTo(3);
        });
        assertThat(watch.notice(GIB).orElseThrow().window().gap().bytes()).isEqualTo(2 * GIB);
    }

    @Test
    void says_nothing_before_a_whole_step_has_ended() {
        see(0, moment().reserved(7 * GIB).allocated(GIB).step(1, 7 * GIB, GIB, MS, 0));
        assertThat(watch.gap()).isEmpty();
        assertThat(watch.notice(GIB)).isEmpty();
    }

    @Test
    void says_nothing_while_the_gap_is_not_above_the_threshold() {
        see(0, moment().reserved(3 * GIB).allocated(2 * GIB));
        assertThat(watch.notice(GIB)).isEmpty();
    }

    @Test
    void stays_calm_about_cache_that_is_used_at_the_peak() {
        threeSteps(
                6 * GIB,
                5 * GIB + GIB / 2,
                moment().reserved(6 * GIB).allocated(2 * GIB).split(0));
        assertThat(watch.notice(GIB)).hasValueSatisfying(n -> {
            assertThat(n.severity()).isEqualTo(GapNotice.Severity.CALM);
            assertThat(n.part()).isEqualTo(GapNotice.Part.RELEASABLE);
            assertThat(n.window().gap().bytes()).isEqualTo(GIB / 2);
            assertThat(n.widestNowBytes()).isEqualTo(4 * GIB);
            assertThat(n.canOptimise()).isFalse();
        });
    }

    @Test
    void offers_the_optimisation_for_cache_only_where_it_is_left_over_at_the_peak() {
        threeSteps(
                6 * GIB, 2 * GIB, moment().reserved(6 * GIB).allocated(2 * GIB).split(0));
        assertThat(watch.notice(GIB)).hasValueSatisfying(n -> {
            assertThat(n.severity()).isEqualTo(GapNotice.Severity.WARNING);
            assertThat(n.part()).isEqualTo(GapNotice.Part.RELEASABLE);
            assertThat(n.canOptimise()).isTrue();
        });
    }

    @Test
    void names_memory_that_waits_for_streams() {
        see(0, moment().reserved(6 * GIB).allocated(3 * GIB).split(GIB / 2).pending(2 * GIB));
        assertThat(watch.notice(GIB))
                .hasValueSatisfying(n -> assertThat(n.part()).isEqualTo(GapNotice.Part.PENDING))
                .hasValueSatisfying(n -> assertThat(n.canOptimise()).isFalse());
    }

    @Test
    void does_not_come_and_go_within_a_step() {
        see(0, moment().reserved(6 * GIB).allocated(2 * GIB));
        see(500, moment().reserved(6 * GIB).allocated(6 * GIB));
        assertThat(watch.notice(GIB)).isPresent();
        see(2_600, moment().reserved(6 * GIB).allocated(6 * GIB));
        assertThat(watch.notice(GIB)).as("two calm seconds later").isEmpty();
    }

    @Test
    void takes_the_threshold_of_the_settings() {
        see(0, moment().reserved(6 * GIB).allocated(4 * GIB));
        assertThat(watch.notice(3 * GIB)).isEmpty();
    }
}
