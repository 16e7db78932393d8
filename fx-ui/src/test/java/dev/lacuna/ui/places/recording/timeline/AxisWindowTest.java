package dev.lacuna.ui.places.recording.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class AxisWindowTest {
    private final AxisWindow window = new AxisWindow();

    private void begin(int events) {
        window.begin(new HistoryAxis.ByEvent(events));
    }

    @Test
    void shows_all_of_it_at_first() {
        begin(1000);
        assertThat(window.isWhole()).isTrue();
        assertThat(window.span()).isEqualTo(1000);
    }

    @Test
    void keeps_what_is_under_the_pointer_where_it_is() {
        begin(1000);
        window.zoomAround(0.5, 0.25);
        assertThat(window.at(0.25)).isCloseTo(250, within(1e-9));
        assertThat(window.span()).isEqualTo(500);
    }

    @Property
    void never_leaves_the_recording(
            @ForAll @DoubleRange(min = 0.01, max = 9) double factor,
            @ForAll @DoubleRange(min = 0, max = 1) double share,
            @ForAll @DoubleRange(min = -3, max = 3) double pan) {
        begin(500);
        window.zoomAround(factor, share);
        window.pan(pan);
        assertThat(window.from()).isNotNegative();
        assertThat(window.to()).isLessThanOrEqualTo(500 + 1e-6);
        assertThat(window.span()).isBetween(8.0 - 1e-6, 500.0 + 1e-6);
    }

    @Test
    void goes_back_to_what_was_shown_before_a_jump() {
        begin(1000);
        window.show(100, 200);
        window.show(120, 140);
        window.reset();
        assertThat(window.back()).isTrue();
        assertThat(window.from()).isEqualTo(120);
        assertThat(window.back()).isTrue();
        assertThat(window.to()).isEqualTo(200);
        assertThat(window.back()).isTrue();
        assertThat(window.isWhole()).isTrue();
        assertThat(window.back()).isFalse();
    }

    @Test
    void goes_back_over_a_whole_run_of_zooming_and_over_a_whole_run_of_moving() {
        begin(1000);
        window.zoomAround(0.5, 0.5);
        window.zoomAround(0.5, 0.5);
        window.pan(0.1);
        window.pan(0.1);
        assertThat(window.back()).isTrue();
        assertThat(window.from()).isEqualTo(375);
        assertThat(window.span()).isEqualTo(250);
        assertThat(window.back()).isTrue();
        assertThat(window.isWhole()).isTrue();
        assertThat(window.back()).isFalse();
    }

    @Test
    void does_not_go_back_to_what_is_shown_already() {
        begin(1000);
        window.zoomAround(2, 0.5);
        window.reset();
        assertThat(window.back()).isFalse();
    }

    @Test
    void moves_only_for_what_is_out_of_sight() {
        begin(1000);
        window.show(100, 200);
        assertThat(window.reveal(150)).isFalse();
        assertThat(window.from()).isEqualTo(100);
        assertThat(window.reveal(500)).isTrue();
        assertThat(window.share(500)).isEqualTo(0.5);
    }
}
