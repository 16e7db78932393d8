package dev.lacuna.core.planning.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.base.Patience;
import java.util.OptionalDouble;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class LongChainsTest {
    /** Cell by cell a table of 500 stages took four thousand million sums; twenty million a second are slow. */
    private static final long MOST_SUMS = 400_000_000;

    @Test
    void five_hundred_stages_take_a_counted_number_of_sums() {
        ChainProfile chain = Chains.random(new Random(3), 500, 1 << 24);
        for (int percent : new int[] {10, 50, 90}) {
            long budget = Chains.storeAllBytes(chain) / 100 * percent;
            ChainTable table = new OptimalChain().table(chain, budget).orElseThrow();
            assertThat(table.fill(Patience.endless())).isTrue();
            assertThat(table.steps()).isBetween(1L, MOST_SUMS);
            ChainPlan plan = ChainPlan.of(chain, table.schedule().orElseThrow());
            assertThat(plan.peakBytes()).isLessThanOrEqualTo(budget);
        }
    }

    @Property(tries = 40)
    void a_grid_of_stages_loses_time_but_never_the_budget(
            @ForAll int seed,
            @ForAll @IntRange(min = 2, max = 40) int length,
            @ForAll @IntRange(min = 1, max = 9) int grid,
            @ForAll @IntRange(min = 30, max = 100) int percent) {
        ChainProfile chain = Chains.random(new Random(seed), length, 30);
        long budget = Chains.storeAllBytes(chain) * percent / 100;
        int room = (int) (budget - chain.inputBytes());
        ChainTable coarse = ChainTable.rounded(chain, 1, room, grid);
        ChainTable all = ChainTable.exact(chain, 1, room);
        coarse.fill(Patience.endless());
        all.fill(Patience.endless());
        coarse.schedule().map(steps -> ChainPlan.of(chain, steps)).ifPresent(plan -> {
            assertThat(plan.peakBytes()).isLessThanOrEqualTo(budget);
            assertThat(plan.timeMs())
                    .isGreaterThanOrEqualTo(
                            ChainPlan.of(chain, all.schedule().orElseThrow()).timeMs() - 1e-9);
        });
    }

    @Property(tries = 60)
    void no_schedule_undercuts_the_bound(@ForAll int seed, @ForAll @IntRange(min = 1, max = 4) int length) {
        ChainProfile chain = Chains.random(new Random(seed), length, 4);
        long all = Chains.storeAllBytes(chain);
        for (long budget = all / 2; budget <= all; budget += Math.max(1, all / 8)) {
            OptionalDouble fastest = FastestSchedule.freeMs(chain, budget);
            double least = chain.unrecomputedMs() + ChainBound.leastAgainMs(chain, budget, 1);
            fastest.ifPresent(time -> assertThat(least).isLessThanOrEqualTo(time + 1e-9));
        }
    }

    @Test
    void a_table_without_time_ends_with_the_choice_of_single_stages() {
        ChainProfile chain = Chains.random(new Random(4), 200, 1 << 24);
        long budget = Chains.storeAllBytes(chain) / 2;
        Patience none = Patience.until(0, () -> 1, () -> false);

        ChainPlan plan = new OptimalChain().plan(chain, budget, none).orElseThrow();

        assertThat(none.cut()).isTrue();
        assertThat(plan.peakBytes()).isLessThanOrEqualTo(budget);
    }
}
