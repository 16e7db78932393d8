package dev.lacuna.ui.places.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.base.counters.StepWindow;
import dev.lacuna.core.base.counters.WholeSteps;
import dev.lacuna.ui.fakes.Counters;
import org.junit.jupiter.api.Test;

class BeforeAfterTest {
    private static final long GIB = 1L << 30;
    private static final long MIB = 1L << 20;
    private static final long MS = 1_000_000;

    private final WholeSteps steps = new WholeSteps();
    private final BeforeAfter comparison = new BeforeAfter();
    private double fraction = 1;

    private void step(long number, boolean on, long peakReserved, long peakAllocated, long ms) {
        boolean another = steps.add(Counters.at(number)
                .optimisation(on)
                .fraction(fraction)
                .step(number, peakReserved, peakAllocated, ms * MS, on ? 4 : 0)
                .build());
        if (another) {
            comparison.add(steps);
        }
    }

    /** The first two of a setting are not whole ones of it. */
    private void steps(long from, long to, boolean on, long peakReserved, long peakAllocated, long ms) {
        for (long number = from; number <= to; number++) {
            step(number, on, peakReserved, peakAllocated, ms);
        }
    }

    @Test
    void knows_nothing_before_a_whole_step() {
        step(5, false, 7 * GIB, 5 * GIB, 300);
        step(5, false, 7 * GIB, 5 * GIB, 300);
        assertThat(comparison.now().off()).isEmpty();
        assertThat(comparison.now().on()).isEmpty();
        assertThat(comparison.now().verdict()).isEqualTo(BeforeAfter.Verdict.TOO_FEW);
    }

    @Test
    void compares_equal_numbers_of_the_newest_steps_and_says_which() {
        steps(1, 16, false, 7 * GIB, 5 * GIB, 300);
        steps(17, 23, true, 6 * GIB, 5 * GIB, 300);
        assertThat(comparison.now().off().orElseThrow().window().steps()).isEqualTo(5);
        assertThat(comparison.now().off().orElseThrow().window())
                .extracting(StepWindow::firstStep, StepWindow::lastStep)
                .containsExactly(12L, 16L);
        assertThat(comparison.now().on().orElseThrow().window())
                .extracting(StepWindow::firstStep, StepWindow::lastStep)
                .containsExactly(19L, 23L);
        assertThat(comparison.now().verdict()).isEqualTo(BeforeAfter.Verdict.COMPARABLE);
        assertThat(comparison.now().on().orElseThrow().remapsPerStep()).isEqualTo(4);
    }

    @Test
    void tells_the_change_as_a_share_and_how_sure_it_is() {
        for (int i = 1; i <= 12; i++) {
            step(i, false, 8 * GIB + i % 3 * 10 * MIB, 5 * GIB, 300 + i % 4 * 20);
        }
        for (int i = 13; i <= 24; i++) {
            step(i, true, 6 * GIB + i % 3 * 10 * MIB, 5 * GIB, 300 + i % 4 * 20);
        }
        StepChange peak = comparison.now().change(StepMeasure.PEAK).orElseThrow();
        assertThat(peak.share()).isBetween(-0.26, -0.24);
        assertThat(peak.low()).isLessThanOrEqualTo(peak.share());
        assertThat(peak.high()).isGreaterThanOrEqualTo(peak.share()).isLessThan(0);
        assertThat(peak.isSure(StepMeasure.PEAK.noise())).isTrue();
        StepChange time = comparison.now().change(StepMeasure.TIME).orElseThrow();
        assertThat(time.isSure(StepMeasure.TIME.noise())).as("the same lengths").isFalse();
    }

    @Test
    void steps_whose_lengths_differ_by_more_than_their_spread_are_not_compared() {
        steps(1, 8, false, 7 * GIB, 5 * GIB, 2_946);
        steps(9, 16, true, 6 * GIB, 5 * GIB, 5_879);
        assertThat(comparison.now().verdict()).isEqualTo(BeforeAfter.Verdict.OTHER_LENGTHS);
        assertThat(comparison.now().change(StepMeasure.PEAK)).isEmpty();
        assertThat(comparison.now().off())
                .as("what was measured is shown all the same")
                .isPresent();
    }

    @Test
    void steps_of_varying_length_are_alike_within_their_spread() {
        for (int i = 1; i <= 12; i++) {
            step(i, false, 7 * GIB, 5 * GIB, i % 2 == 0 ? 200 : 700);
        }
        for (int i = 13; i <= 23; i++) {
            step(i, true, 6 * GIB, 5 * GIB, i % 2 == 0 ? 210 : 690);
        }
        assertThat(comparison.now().verdict()).isEqualTo(BeforeAfter.Verdict.COMPARABLE);
    }

    @Test
    void steps_that_allocate_something_else_are_not_compared() {
        steps(1, 8, false, 7 * GIB, 5 * GIB, 300);
        steps(9, 16, true, 6 * GIB, 4 * GIB, 300);
        assertThat(comparison.now().verdict()).isEqualTo(BeforeAfter.Verdict.OTHER_WORK);
    }

    @Test
    void steps_under_another_cap_are_not_compared() {
        steps(1, 8, false, 7 * GIB, 5 * GIB, 300);
        fraction = 0.8;
        steps(9, 16, true, 6 * GIB, 5 * GIB, 300);
        assertThat(comparison.now().verdict())
                .as("what was taken before would not have been allowed")
                .isEqualTo(BeforeAfter.Verdict.OTHER_SETTINGS);
        fraction = 0.9;
        steps(17, 24, true, 6 * GIB, 5 * GIB, 300);
        assertThat(comparison.now().verdict())
                .as("neither comes up against it")
                .isEqualTo(BeforeAfter.Verdict.COMPARABLE);
    }

    @Test
    void a_difference_needs_some_steps_on_either_side() {
        steps(1, 12, false, 7 * GIB, 5 * GIB, 300);
        steps(13, 16, true, 6 * GIB, 5 * GIB, 300);
        assertThat(comparison.now().on().orElseThrow().window().steps()).isEqualTo(2);
        assertThat(comparison.now().verdict()).isEqualTo(BeforeAfter.Verdict.TOO_FEW);
        step(17, true, 6 * GIB, 5 * GIB, 300);
        assertThat(comparison.now().verdict()).isEqualTo(BeforeAfter.Verdict.COMPARABLE);
    }

    @Test
    void forgets_everything_with_another_process() {
        steps(1, 8, false, 7 * GIB, 5 * GIB, 300);
        comparison.clear();
        assertThat(comparison.now().off()).isEmpty();
    }
}
