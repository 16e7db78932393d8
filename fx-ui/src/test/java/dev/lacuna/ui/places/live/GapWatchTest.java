package dev.lacuna.ui.places.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.fakes.Counters;
import org.junit.jupiter.api.Test;

class GapWatchTest {
    private static final long GIB = 1L << 30;
    private static final long MS = 1_000_000;

    private final GapWatch watch = new GapWatch();

    private void see(long ms, Counters counters) {
        watch.add(ms * MS, counters.build());
    }

    private static Counters moment() {
        return Counters.at(1);
    }

    @Test
    void says_nothing_while_the_gap_is_not_above_the_threshold() {
        see(0, moment().reserved(3 * GIB).allocated(2 * GIB));
        assertThat(watch.notice(GIB)).isEmpty();
    }

    @Test
    void warns_of_split_memory_at_the_peak_and_offers_the_optimisation() {
        see(0, moment().reserved(7 * GIB).allocated(2 * GIB).split(GIB));
        see(50, moment().reserved(7 * GIB).allocated(5 * GIB).split(3 * GIB / 2));
        assertThat(watch.notice(GIB)).hasValueSatisfying(n -> {
            assertThat(n.severity()).isEqualTo(GapNotice.Severity.WARNING);
            assertThat(n.part()).isEqualTo(GapNotice.Part.SPLIT);
            assertThat(n.gapBytes()).isEqualTo(2 * GIB);
            assertThat(n.partBytes()).isEqualTo(3 * GIB / 2);
            assertThat(n.canOptimise()).isTrue();
        });
    }

    @Test
    void stays_calm_about_cache_that_is_used_at_the_peak() {
        see(0, moment().reserved(6 * GIB).allocated(2 * GIB).split(0).optimisation(true));
        see(50, moment().reserved(6 * GIB).allocated(5 * GIB + GIB / 2).split(0).optimisation(true));
        assertThat(watch.notice(GIB)).hasValueSatisfying(n -> {
            assertThat(n.severity()).isEqualTo(GapNotice.Severity.CALM);
            assertThat(n.part()).isEqualTo(GapNotice.Part.RELEASABLE);
            assertThat(n.gapBytes()).isEqualTo(4 * GIB);
            assertThat(n.atPeakBytes()).isEqualTo(GIB / 2);
            assertThat(n.canOptimise()).isFalse();
        });
    }

    @Test
    void offers_the_optimisation_for_cache_only_where_it_is_left_over_at_the_peak() {
        see(0, moment().reserved(6 * GIB).allocated(2 * GIB).split(0));
        assertThat(watch.notice(GIB)).hasValueSatisfying(n -> {
            assertThat(n.severity()).isEqualTo(GapNotice.Severity.WARNING);
            assertThat(n.part()).isEqualTo(GapNotice.Part.RELEASABLE);
            assertThat(n.canOptimise()).isTrue();
        });
        see(50, moment().reserved(6 * GIB).allocated(6 * GIB).split(0));
        assertThat(watch.notice(GIB)).hasValueSatisfying(n -> {
            assertThat(n.severity()).isEqualTo(GapNotice.Severity.CALM);
            assertThat(n.canOptimise()).isFalse();
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
        see(2_400, moment().reserved(6 * GIB).allocated(6 * GIB));
        assertThat(watch.notice(GIB)).as("two calm seconds later").isEmpty();
    }

    @Test
    void takes_the_threshold_of_the_settings() {
        see(0, moment().reserved(6 * GIB).allocated(4 * GIB));
        assertThat(watch.notice(3 * GIB)).isEmpty();
    }
}
