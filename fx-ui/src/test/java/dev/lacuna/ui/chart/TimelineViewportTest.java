package dev.lacuna.ui.chart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimelineViewportTest {
    private static final long S = 1_000_000_000L;
    private static final TimeRange EXTENT = new TimeRange(100 * S, 700 * S);

    private final TimelineViewport viewport = new TimelineViewport(60 * S);

    @Test
    void follows_the_newest_sample_at_first() {
        TimeRange shown = viewport.visible(EXTENT, 600);
        assertThat(shown.endNs()).isBetween(700 * S, 700 * S + S / 10);
        assertThat(shown.spanNs()).isEqualTo(60 * S);
    }

    @Test
    void keeps_columns_where_they_are_while_time_passes() {
        TimeRange before = viewport.visible(EXTENT, 600);
        TimeRange after = viewport.visible(new TimeRange(100 * S, 703 * S + 12_345), 600);
        long column = 60 * S / 600;
        assertThat((after.startNs() - before.startNs()) % column).isZero();
    }

    @Test
    void leaves_the_moment_under_the_pointer_in_place() {
        viewport.pan(-2, EXTENT);
        TimeRange before = viewport.visible(EXTENT, 600);
        viewport.zoomAround(0.5, 0.25, EXTENT);
        TimeRange after = viewport.visible(EXTENT, 600);
        assertThat(after.spanNs()).isEqualTo(30 * S);
        assertThat(after.at(0.25)).isCloseTo(before.at(0.25), org.assertj.core.data.Offset.offset(S / 5));
        assertThat(viewport.following()).isFalse();
    }

    @Test
    void goes_on_following_when_the_wheel_turns_at_the_right_edge() {
        viewport.zoomAround(0.5, 0.95, EXTENT);
        assertThat(viewport.following()).isTrue();
        assertThat(viewport.spanNs()).isEqualTo(30 * S);
    }

    @Test
    void holds_still_when_it_is_panned_back_and_stays_so_at_the_end() {
        viewport.pan(-0.5, EXTENT);
        TimeRange held = viewport.visible(EXTENT, 600);
        assertThat(viewport.visible(new TimeRange(100 * S, 800 * S), 600)).isEqualTo(held);
        viewport.pan(1, EXTENT);
        assertThat(viewport.following()).isFalse();
        assertThat(viewport.visible(EXTENT, 600).endNs()).isBetween(700 * S, 700 * S + S / 10);
    }

    @Test
    void moves_only_for_an_instant_that_is_out_of_sight() {
        viewport.hold(EXTENT);
        viewport.reveal(650 * S, EXTENT);
        assertThat(viewport.visible(EXTENT, 600).endNs()).isBetween(700 * S, 700 * S + S / 10);
        viewport.reveal(300 * S, EXTENT);
        assertThat(viewport.visible(EXTENT, 600).contains(300 * S)).isTrue();
    }

    @Test
    void stops_before_everything_has_left_the_picture() {
        viewport.pan(-1000, EXTENT);
        assertThat(viewport.visible(EXTENT, 600).endNs()).isGreaterThan(EXTENT.startNs());
    }

    @Test
    void shows_the_selection_and_returns_home() {
        viewport.zoomTo(new TimeRange(300 * S, 310 * S), EXTENT);
        TimeRange shown = viewport.visible(EXTENT, 1000);
        assertThat(shown.startNs()).isCloseTo(300 * S, org.assertj.core.data.Offset.offset(S / 50));
        assertThat(shown.spanNs()).isEqualTo(10 * S);
        viewport.reset();
        assertThat(viewport.following()).isTrue();
        assertThat(viewport.spanNs()).isEqualTo(60 * S);
    }

    @Test
    void keeps_the_span_within_what_can_be_seen_and_what_is_kept() {
        for (int i = 0; i < 60; i++) {
            viewport.zoom(0.5);
        }
        assertThat(viewport.spanNs()).isEqualTo(TimelineViewport.MIN_SPAN_NS);
        for (int i = 0; i < 60; i++) {
            viewport.zoom(2);
        }
        assertThat(viewport.spanNs()).isEqualTo(TimelineViewport.MAX_SPAN_NS);
    }

    @Test
    void holds_still_and_follows_again() {
        viewport.hold(EXTENT);
        assertThat(viewport.visible(new TimeRange(100 * S, 900 * S), 600).endNs())
                .isLessThan(701 * S);
        viewport.follow();
        assertThat(viewport.following()).isTrue();
    }
}
