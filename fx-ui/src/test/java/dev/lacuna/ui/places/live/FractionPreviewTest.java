package dev.lacuna.ui.places.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.PeakGap;
import dev.lacuna.core.base.counters.StepWindow;
import dev.lacuna.ui.fakes.Counters;
import dev.lacuna.ui.places.live.FractionPreview.Outcome;
import dev.lacuna.ui.text.Language;
import dev.lacuna.ui.text.Texts;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FractionPreviewTest {
    private static final long GIB = 1L << 30;
    private static final Optional<StepWindow> STEPS =
            Optional.of(new StepWindow(101, 120, 20, new PeakGap(6 * GIB, 5 * GIB)));

    @BeforeEach
    void inEnglish() {
        Texts.languageProperty().set(Language.ENGLISH);
    }

    /** 8 GiB, 6 reserved, 4 of them allocated, 1 split; the lowest safe cap is 5. */
    private static FractionPreview of(double fraction, Optional<StepWindow> steps) {
        return FractionPreview.of(
                fraction,
                Counters.ofADevice()
                        .reserved(6 * GIB)
                        .allocated(4 * GIB)
                        .split(GIB)
                        .lowestSafe(5 * GIB)
                        .build(),
                steps);
    }

    @Test
    void a_cap_above_the_peak_of_the_last_steps_fits_and_says_by_how_much() {
        FractionPreview preview = of(0.875, STEPS);
        assertThat(preview.capBytes()).isEqualTo(7 * GIB);
        assertThat(preview.roomBytes()).isEqualTo(GIB);
        assertThat(preview.givesBack()).isFalse();
        assertThat(preview.outcome()).isEqualTo(Outcome.FITS);
    }

    @Test
    void a_cap_between_the_lowest_safe_and_the_peak_gives_cache_back() {
        FractionPreview preview = of(0.6875, STEPS);
        assertThat(preview.roomBytes()).isEqualTo(-GIB / 2);
        assertThat(preview.givesBack()).isTrue();
        assertThat(preview.unreachedBytes()).isZero();
        assertThat(preview.outcome()).isEqualTo(Outcome.FITS_TIGHTLY);
        assertThat(FractionInput.words(preview))
                .contains("5.50 GiB")
                .contains("512 MiB below the peak of steps 101–120")
                .contains("costs time");
    }

    @Test
    void what_is_above_the_cap_and_not_wholly_free_is_not_reached_at_once() {
        FractionPreview preview = of(0.5, STEPS);
        assertThat(preview.unreachedBytes())
                .as("2 GiB above the cap, 1 of them wholly free")
                .isEqualTo(GIB);
    }

    @Test
    void a_cap_below_the_lowest_safe_one_would_be_refused() {
        FractionPreview preview = of(0.5, STEPS);
        assertThat(preview.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(FractionInput.words(preview)).contains("Refused").contains("Lowest safe: 5.00 GiB");
    }

    @Test
    void what_holds_is_not_refused_though_no_cap_is_surely_safe() {
        MemoryCounters now = Counters.ofADevice()
                .reserved(6 * GIB)
                .allocated(4 * GIB)
                .lowestSafe(9 * GIB)
                .build();
        FractionPreview held = FractionPreview.of(1, now, STEPS);
        assertThat(held.outcome()).isEqualTo(Outcome.UNSURE);
        assertThat(FractionInput.words(held)).contains("9.00 GiB to be sure").doesNotContain("Refused");
        FractionPreview lower = FractionPreview.of(0.94, now, STEPS);
        assertThat(lower.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(FractionInput.words(lower)).contains("no lower cap is safe").doesNotContain("9.00 GiB");
    }

    @Test
    void before_a_whole_step_the_distance_is_that_to_what_is_reserved_now() {
        FractionPreview preview = of(0.875, Optional.empty());
        assertThat(preview.roomBytes()).isEqualTo(GIB);
        assertThat(FractionInput.words(preview)).contains("above what is reserved now");
    }
}
