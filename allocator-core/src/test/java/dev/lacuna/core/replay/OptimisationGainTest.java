package dev.lacuna.core.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class OptimisationGainTest {
    private static final long GIB = 1L << 30;

    private static PolicyOutcome outcome(
            String policy, long reserved, long ooms, long firstOom, OptionalLong smallest) {
        OptionalLong first = ooms == 0 ? OptionalLong.empty() : OptionalLong.of(firstOom);
        return new PolicyOutcome(
                new ReplayResult(
                        policy, 99_999, GIB, GIB, reserved, ooms, 0, 1, 0, 0, first, OpeningUse.ASKED_FOR, false),
                smallest,
                false);
    }

    private static String sentence(PolicyOutcome... outcomes) {
        return OptimisationGain.of(List.of(outcomes)).orElseThrow().sentence(Locale.ENGLISH);
    }

    private static PolicyOutcome plain(String policy, long reserved) {
        return outcome(policy, reserved, 0, 0, OptionalLong.empty());
    }

    @Test
    void says_how_much_less_would_have_been_needed() {
        assertThat(sentence(plain("caching", 36 * GIB), plain("segregated", 21 * GIB)))
                .isEqualTo("With the optimisation on this job would have needed 21.00 GiB instead of 36.00 GiB.");
    }

    @Test
    void takes_the_smallest_capacities_where_they_are_known() {
        assertThat(sentence(
                        outcome("caching", 36 * GIB, 0, 0, OptionalLong.of(30 * GIB)),
                        outcome("segregated", 21 * GIB, 0, 0, OptionalLong.of(20 * GIB))))
                .contains("20.00 GiB instead of 30.00 GiB");
    }

    @Test
    void names_the_failure_that_would_not_have_happened() {
        assertThat(sentence(
                        outcome("caching", 36 * GIB, 1, 41_210, OptionalLong.empty()), plain("segregated", 21 * GIB)))
                .endsWith("the out-of-memory at event 41,210 would not have happened.");
        assertThat(sentence(
                        outcome("caching", 36 * GIB, 4, 41_210, OptionalLong.empty()), plain("segregated", 21 * GIB)))
                .endsWith("the out-of-memory at event 41,210 and 3 more would not have happened.");
    }

    @Test
    void does_not_praise_where_nothing_is_gained() {
        assertThat(sentence(plain("caching", 21 * GIB), plain("segregated", 21 * GIB)))
                .contains("no less than");
        assertThat(sentence(
                        outcome("caching", 21 * GIB, 5, 10, OptionalLong.empty()),
                        outcome("segregated", 21 * GIB, 2, 30, OptionalLong.empty())))
                .contains("all the same: 2 times instead of 5, first at event 30 instead of 10");
        assertThat(sentence(plain("caching", 21 * GIB), outcome("segregated", 21 * GIB, 2, 30, OptionalLong.empty())))
                .contains("2 times, first at event 30");
    }

    @Test
    void is_silent_where_one_of_the_two_did_not_take_part() {
        assertThat(OptimisationGain.of(List.of(plain("caching", GIB), plain("expandable", GIB))))
                .isEmpty();
    }

    @Test
    void speaks_chinese_too() {
        String sentence = OptimisationGain.of(List.of(plain("caching", 36 * GIB), plain("segregated", 21 * GIB)))
                .orElseThrow()
                .sentence(Locale.SIMPLIFIED_CHINESE);
        assertThat(sentence).contains("若开启优化").contains("21.00 GiB");
    }
}
