package dev.lacuna.core.planning.swap.adaptive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class LimitSpareTest {
    private static final long MIB = 1L << 20;

    @Test
    void a_process_keeps_two_chunks_a_fiftieth_and_the_gradients_of_one_layer() {
        LimitSpare spare = LimitSpare.ofProcess(Profiles.of(
                0,
                Profiles.layer(1, 2, 24 * MIB, 6 * MIB, 1),
                Profiles.layer(1, 2, 24 * MIB, 5 * MIB, 1),
                Profiles.layer(1, 2, 6 * MIB, 3 * MIB, 1)));

        assertThat(spare.of(100 * MIB)).isEqualTo((4 + 2 + 11) * MIB);
        assertThat(spare.plannable(100 * MIB)).isEqualTo(83 * MIB);
        assertThat(spare.plannable(3 * MIB)).as("less than the spare").isZero();
        assertThat(spare.of(0)).isZero();
    }

    @Test
    void a_budget_that_is_no_limit_of_a_process_may_be_filled() {
        assertThat(LimitSpare.NONE.plannable(4711)).isEqualTo(4711);
        assertThat(LimitSpare.NONE.limitFor(4711)).isEqualTo(4711);
        assertThat(LimitSpare.NONE.plannable(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void the_limit_for_a_plan_is_the_least_that_it_may_fill() {
        LimitSpare spare = new LimitSpare(17 * MIB, 0.02);
        Random random = new Random(46);
        for (int round = 0; round < 1000; round++) {
            long plan = random.nextLong(100L << 30);

            long limit = spare.limitFor(plan);

            assertThat(spare.plannable(limit)).isGreaterThanOrEqualTo(plan);
            assertThat(spare.plannable(limit - 1)).isLessThanOrEqualTo(plan);
        }
    }

    @Test
    void refuses_a_share_that_leaves_nothing() {
        assertThatIllegalArgumentException().isThrownBy(() -> new LimitSpare(0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new LimitSpare(-1, 0));
    }
}
