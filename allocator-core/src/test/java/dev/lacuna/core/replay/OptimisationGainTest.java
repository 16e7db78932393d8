package dev.lacuna.core.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.allocator.model.Flushes;
import dev.lacuna.core.base.counters.PeakGap;
import dev.lacuna.core.trace.model.OddRows;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class OptimisationGainTest {
    private static final long GIB = 1L << 30;

    private static PolicyOutcome outcome(
            String policy, long reserved, long ooms, long firstOom, Optional<CardNeed> need) {
        OptionalLong first = ooms == 0 ? OptionalLong.empty() : OptionalLong.of(firstOom);
        return new PolicyOutcome(
                new ReplayResult(
                        policy,
                        99_999,
                        GIB,
                        GIB,
                        reserved,
                        ooms,
                        0,
                        1,
                        0,
                        0,
                        first,
                        OpeningUse.ASKED_FOR,
                        false,
                        OddRows.NONE,
                        new Flushes(3 * ooms, GIB),
                        OptionalDouble.empty()),
                need,
                false);
    }

    private static Optional<CardNeed> need(long smallest, long flushes, long spare) {
        return Optional.of(new CardNeed(OptionalLong.of(smallest), new Flushes(flushes, GIB), new PeakGap(spare, GIB)));
    }

    private static String sentences(PolicyOutcome... outcomes) {
        return String.join(
                " ", OptimisationGain.of(List.of(outcomes)).orElseThrow().sentences(Locale.ENGLISH));
    }

    private static PolicyOutcome plain(String policy, long reserved) {
        return outcome(policy, reserved, 0, 0, Optional.empty());
    }

    @Test
    void leads_with_the_smallest_card_that_finishes_and_its_flushes() {
        assertThat(sentences(
                        outcome("caching", 36 * GIB, 0, 0, need(30 * GIB, 1214, 36 * GIB)),
                        outcome("segregated", 21 * GIB, 0, 0, need(20 * GIB, 0, 21 * GIB))))
                .startsWith("The smallest card that finishes this job has 20.00 GiB with the optimisation on"
                        + " (no flush there) and 30.00 GiB without it (1,214 flushes there).")
                .endsWith("With memory to spare it reserves up to 21.00 GiB with the optimisation on"
                        + " and 36.00 GiB without it.");
    }

    @Test
    void a_figure_that_becomes_known_brings_words_of_its_own() {
        String before = sentences(plain("caching", 36 * GIB), plain("segregated", 21 * GIB));
        assertThat(before)
                .isEqualTo("On this device it reserves up to 21.00 GiB with the optimisation on"
                        + " and 36.00 GiB without it.");
        String after = sentences(
                outcome("caching", 36 * GIB, 0, 0, need(30 * GIB, 1, 36 * GIB)),
                outcome("segregated", 21 * GIB, 0, 0, need(20 * GIB, 1, 21 * GIB)));
        assertThat(after).doesNotContain("On this device");
    }

    @Test
    void names_the_failure_that_would_not_have_happened_and_what_it_cost() {
        assertThat(sentences(outcome("caching", 36 * GIB, 1, 41_210, Optional.empty()), plain("segregated", 21 * GIB)))
                .startsWith("On this device the stock rules run out of memory once, first at event 41,210, for all"
                        + " that 3 flushes cost; with the optimisation on that would not have happened.");
        assertThat(sentences(outcome("caching", 36 * GIB, 4, 41_210, Optional.empty()), plain("segregated", 21 * GIB)))
                .contains("4 times, first at event 41,210, for all that 12 flushes cost");
    }

    @Test
    void says_where_the_optimisation_fails_too_or_alone() {
        assertThat(sentences(
                        outcome("caching", 21 * GIB, 5, 10, Optional.empty()),
                        outcome("segregated", 21 * GIB, 2, 30, Optional.empty())))
                .contains("2 times, first at event 30, even with the optimisation on; without it 5 times");
        assertThat(sentences(plain("caching", 21 * GIB), outcome("segregated", 21 * GIB, 2, 30, Optional.empty())))
                .contains("2 times with the optimisation on, first at event 30; without it it does not");
    }

    @Test
    void is_silent_where_one_of_the_two_did_not_take_part() {
        assertThat(OptimisationGain.of(List.of(plain("caching", GIB), plain("expandable", GIB))))
                .isEmpty();
    }

    @Test
    void speaks_chinese_too() {
        List<String> sentences = OptimisationGain.of(List.of(plain("caching", 36 * GIB), plain("segregated", 21 * GIB)))
                .orElseThrow()
                .sentences(Locale.SIMPLIFIED_CHINESE);
        assertThat(sentences).singleElement().asString().contains("在此设备上", "21.00 GiB");
    }
}
