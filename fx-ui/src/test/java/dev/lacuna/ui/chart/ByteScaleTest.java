package dev.lacuna.ui.chart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ByteScaleTest {
    private static final long GIB = 1L << 30;

    private final ByteScale scale = new ByteScale();

    @Test
    void has_whole_steps_and_room_above_the_data() {
        scale.fit((long) (5.62 * GIB));
        assertThat(scale.step()).isEqualTo(GIB);
        assertThat(scale.top()).isEqualTo(6 * GIB);
    }

    @Test
    void stays_until_the_data_leaves_it() {
        scale.fit(5 * GIB);
        long top = scale.top();
        assertThat(scale.fit(GIB)).isFalse();
        assertThat(scale.top()).isEqualTo(top);
        assertThat(scale.fit(7 * GIB)).isTrue();
        assertThat(scale.top()).isEqualTo(8 * GIB);
    }

    @Test
    void lets_a_limit_lie_at_the_very_top() {
        scale.fit(6 * GIB);
        scale.reach(8 * GIB);
        assertThat(scale.top()).isEqualTo(8 * GIB);
    }

    @Test
    void begins_anew_after_a_reset() {
        scale.fit(100 * GIB);
        scale.reset();
        scale.fit(GIB);
        assertThat(scale.top()).isLessThan(2 * GIB);
    }
}
