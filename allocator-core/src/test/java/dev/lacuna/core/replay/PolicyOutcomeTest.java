package dev.lacuna.core.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class PolicyOutcomeTest {
    private static PolicyOutcome outcome(long reserved, long ooms, long smallest, boolean foresight) {
        ReplayResult result = new ReplayResult("x", 1, 10, 10, reserved, ooms, 0, 1, 0, 0);
        return new PolicyOutcome(result, smallest == 0 ? OptionalLong.empty() : OptionalLong.of(smallest), foresight);
    }

    @Test
    void failures_count_before_capacity_and_capacity_before_peaks() {
        PolicyOutcome fails = outcome(10, 1, 0, false);
        PolicyOutcome large = outcome(20, 0, 18, false);
        PolicyOutcome small = outcome(30, 0, 15, false);
        List<PolicyOutcome> all = List.of(fails, large, small);
        assertThat(all).filteredOn(o -> o.isBestOf(all)).containsExactly(small);
        List<PolicyOutcome> two = List.of(fails, large);
        assertThat(two).filteredOn(o -> o.isBestOf(two)).containsExactly(large);
    }

    @Test
    void foresight_is_a_bound_and_no_rival() {
        PolicyOutcome bound = outcome(10, 0, 0, true);
        PolicyOutcome one = outcome(20, 0, 0, false);
        PolicyOutcome other = outcome(21, 0, 0, false);
        List<PolicyOutcome> all = List.of(bound, one, other);
        assertThat(all).filteredOn(o -> o.isBestOf(all)).containsExactly(one);
        assertThat(one.isBestOf(List.of(bound, one))).isFalse();
        assertThat(one.gapBytes()).isEqualTo(10);
    }
}
