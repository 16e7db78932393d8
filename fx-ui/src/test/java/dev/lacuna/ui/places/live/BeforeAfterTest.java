package dev.lacuna.ui.places.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.fakes.Counters;
import org.junit.jupiter.api.Test;

class BeforeAfterTest {
    private static final long GIB = 1L << 30;
    private static final long MS = 1_000_000;

    private final BeforeAfter comparison = new BeforeAfter();

    private void step(long number, boolean on, long peakReserved, long peakAllocated, long ms, long remaps) {
        comparison.add(Counters.at(number)
                .optimisation(on)
                .step(number, peakReserved, peakAllocated, ms * MS, remaps)
                .build());
    }

    @Test
    void knows_nothing_before_a_complete_step() {
        step(5, false, 7 * GIB, 5 * GIB, 300, 0);
        step(5, false, 7 * GIB, 5 * GIB, 300, 0);
        assertThat(comparison.off()).isEmpty();
        assertThat(comparison.on()).isEmpty();
    }

    @Test
    void leaves_out_the_step_that_was_running_when_reading_began() {
        step(5, false, 7 * GIB, 5 * GIB, 300, 0);
        step(6, false, 9 * GIB, 5 * GIB, 300, 0);
        assertThat(comparison.off()).isEmpty();
        step(7, false, 7 * GIB, 5 * GIB, 300, 0);
        assertThat(comparison.off()).hasValueSatisfying(f -> {
            assertThat(f.steps()).isEqualTo(1);
            assertThat(f.peakReservedBytes()).isEqualTo(7 * GIB);
            assertThat(f.gapAtPeakBytes()).isEqualTo(2 * GIB);
            assertThat(f.fragmentation()).isEqualTo(2.0 / 7);
        });
    }

    @Test
    void leaves_out_the_step_in_which_the_policy_was_switched() {
        for (int i = 1; i <= 4; i++) {
            step(i, false, 7 * GIB, 5 * GIB, 300, 0);
        }
        step(4, true, 7 * GIB, 5 * GIB, 300, 0);
        step(5, true, 9 * GIB, 5 * GIB, 900, 99);
        assertThat(comparison.on()).isEmpty();
        step(6, true, 5 * GIB, 5 * GIB, 310, 3);
        assertThat(comparison.on()).hasValueSatisfying(f -> {
            assertThat(f.steps()).isEqualTo(1);
            assertThat(f.peakReservedBytes()).isEqualTo(5 * GIB);
            assertThat(f.remapsPerStep()).isEqualTo(3);
        });
        assertThat(comparison.off())
                .hasValueSatisfying(f -> assertThat(f.steps()).isEqualTo(2));
    }

    @Test
    void takes_the_highest_peak_the_median_duration_and_the_mean_of_remaps() {
        step(1, true, 0, 0, 0, 0);
        step(2, true, 0, 0, 0, 0);
        step(3, true, 5 * GIB, 5 * GIB, 100, 2);
        step(4, true, 6 * GIB, 4 * GIB, 900, 4);
        step(5, true, 5 * GIB, 5 * GIB, 110, 6);
        assertThat(comparison.on()).hasValueSatisfying(f -> {
            assertThat(f.peakReservedBytes()).isEqualTo(6 * GIB);
            assertThat(f.gapAtPeakBytes()).isEqualTo(2 * GIB);
            assertThat(f.stepNs()).isEqualTo(110 * MS);
            assertThat(f.noiseNs()).as("the spread, above 10 %").isEqualTo(800 * MS);
            assertThat(f.remapsPerStep()).isEqualTo(4);
        });
    }

    @Test
    void forgets_steps_that_are_long_ago() {
        step(1, false, 0, 0, 0, 0);
        step(2, false, 0, 0, 0, 0);
        step(3, false, 9 * GIB, GIB, 300, 0);
        for (int i = 4; i < 4 + BeforeAfter.STEPS; i++) {
            step(i, false, 7 * GIB, 5 * GIB, 300, 0);
        }
        assertThat(comparison.off()).hasValueSatisfying(f -> {
            assertThat(f.steps()).isEqualTo(BeforeAfter.STEPS);
            assertThat(f.noiseNs()).as("10 % of steps that all took as long").isEqualTo(30 * MS);
            assertThat(f.peakReservedBytes()).isEqualTo(7 * GIB);
        });
    }
}
