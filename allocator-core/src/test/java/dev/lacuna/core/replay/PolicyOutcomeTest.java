package dev.lacuna.core.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.allocator.model.Flushes;
import dev.lacuna.core.base.counters.PeakGap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class PolicyOutcomeTest {
    private static PolicyOutcome outcome(long reserved, long ooms, OptionalLong smallest, boolean foresight) {
        return new PolicyOutcome(
                result(reserved, ooms),
                Optional.of(new CardNeed(smallest, Flushes.NONE, new PeakGap(reserved, 10))),
                foresight);
    }

    private static ReplayResult result(long reserved, long ooms) {
        return new ReplayResult("x", 1, 10, 10, reserved, ooms, 0, 1, 0, 0);
    }

    @Test
    void the_smallest_card_that_finishes_is_best_whatever_is_reserved_with_memory_to_spare() {
        PolicyOutcome large = outcome(20, 0, OptionalLong.of(18), false);
        PolicyOutcome small = outcome(30, 0, OptionalLong.of(15), false);
        List<PolicyOutcome> all = List.of(large, small);
        assertThat(all).filteredOn(o -> o.isBestOf(all)).containsExactly(small);
    }

    @Test
    void a_run_that_failed_is_never_best() {
        PolicyOutcome fails = outcome(10, 1, OptionalLong.of(12), false);
        PolicyOutcome failsToo = outcome(20, 2, OptionalLong.of(18), false);
        List<PolicyOutcome> all = List.of(fails, failsToo);
        assertThat(all).noneMatch(o -> o.isBestOf(all));
    }

    @Test
    void nobody_is_best_before_every_need_is_known() {
        PolicyOutcome known = outcome(10, 0, OptionalLong.of(8), false);
        PolicyOutcome unknown = new PolicyOutcome(result(20, 0), Optional.empty(), false);
        List<PolicyOutcome> all = List.of(known, unknown);
        assertThat(all).noneMatch(o -> o.isBestOf(all));
    }

    @Test
    void foresight_is_a_bound_and_no_rival() {
        PolicyOutcome bound = outcome(10, 0, OptionalLong.of(10), true);
        PolicyOutcome one = outcome(20, 0, OptionalLong.of(20), false);
        PolicyOutcome other = outcome(21, 0, OptionalLong.of(20), false);
        List<PolicyOutcome> all = List.of(bound, one, other);
        assertThat(all).filteredOn(o -> o.isBestOf(all)).containsExactly(one);
        assertThat(one.isBestOf(List.of(bound, one))).isFalse();
    }
}
