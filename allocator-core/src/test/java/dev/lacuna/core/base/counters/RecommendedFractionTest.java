package dev.lacuna.core.base.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lacuna.core.base.counters.RecommendedFraction.Reason;
import org.junit.jupiter.api.Test;

class RecommendedFractionTest {
    private static final long GIB = 1L << 30;

    @Test
    void gives_the_pool_everything_when_nothing_lies_outside() {
        RecommendedFraction r = RecommendedFraction.of(64 * GIB, 0, 10 * GIB);
        assertThat(r.fraction()).isEqualTo(1.0);
        assertThat(r.reason()).isEqualTo(Reason.NOTHING_OUTSIDE);
        assertThat(RecommendedFraction.USUAL).isEqualTo(0.94);
    }

    @Test
    void leaves_what_lies_outside_its_room_in_whole_hundredths() {
        RecommendedFraction r = RecommendedFraction.of(64 * GIB, 3 * GIB, 10 * GIB);
        assertThat(r.fraction()).isEqualTo(0.95); // (64 − 3) / 64 = 0.953
        assertThat(r.reason()).isEqualTo(Reason.ROOM_FOR_OUTSIDE);
        assertThat(r.lowestSafeFraction()).isCloseTo(0.156, within(0.001));
    }

    @Test
    void never_goes_below_what_the_next_step_needs() {
        RecommendedFraction r = RecommendedFraction.of(64 * GIB, 30 * GIB, 40 * GIB);
        assertThat(r.reason()).isEqualTo(Reason.HELD_BY_LOWEST_SAFE);
        assertThat(r.fraction()).isEqualTo(0.63); // 40 / 64 = 0.625
        assertThat(r.capBytes()).isGreaterThanOrEqualTo(40 * GIB);
    }

    @Test
    void nothing_outside_is_no_reason_to_speak_of_room_though_no_cap_is_surely_safe() {
        RecommendedFraction r = RecommendedFraction.of(64 * GIB, 0, 70 * GIB);
        assertThat(r.fraction()).isEqualTo(1.0);
        assertThat(r.reason()).isEqualTo(Reason.NOTHING_OUTSIDE);
    }

    @Test
    void a_device_of_unknown_capacity_gets_everything() {
        assertThat(RecommendedFraction.of(0, 5, 5).fraction()).isEqualTo(1.0);
    }
}
