package dev.lacuna.core.base.counters;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PeakGapTest {
    @Test
    void the_gap_of_a_window_is_its_highest_reserved_less_its_highest_allocated() {
        PeakGap early = new PeakGap(10, 4);
        PeakGap late = new PeakGap(8, 7);
        assertThat(early.and(late)).isEqualTo(new PeakGap(10, 7));
        assertThat(early.and(late).bytes()).as("less than that of a part of it").isEqualTo(3);
        assertThat(early.and(PeakGap.NONE)).isEqualTo(early);
    }

    @Test
    void fragmentation_is_its_share_of_what_was_reserved() {
        assertThat(new PeakGap(10, 4).fragmentation()).isEqualTo(0.6);
        assertThat(PeakGap.NONE.fragmentation()).isZero();
    }
}
