package dev.lacuna.core.planning.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class ChainPlannersTest {
    private static final List<ChainPlanner> PLANNERS = List.of(
            new StoreAll(),
            new EveryStage(),
            new ChenSquareRoot(),
            new ChenGreedy(),
            new Revolve(),
            new OptimalChain());

    @Property(tries = 300)
    void no_plan_exceeds_its_budget_and_the_optimum_is_never_beaten(
            @ForAll int seed,
            @ForAll @IntRange(min = 1, max = 12) int length,
            @ForAll @IntRange(min = 5, max = 100) int percent) {
        ChainProfile chain = Chains.random(new Random(seed), length, 10);
        long budget = Chains.storeAllBytes(chain) * percent / 100;
        Optional<ChainPlan> optimum = exact(budget).plan(chain, budget);

        for (ChainPlanner planner : PLANNERS) {
            planner.plan(chain, budget).ifPresent(plan -> {
                assertThat(plan.peakBytes()).as(planner.id()).isLessThanOrEqualTo(budget);
                assertThat(optimum).as("optimum where %s fits", planner.id()).isPresent();
                assertThat(optimum.orElseThrow().timeMs())
                        .as("optimum beside %s", planner.id())
                        .isLessThanOrEqualTo(plan.timeMs() + 1e-9);
            });
        }
    }

    @Property(tries = 200)
    void more_memory_never_costs_time(@ForAll int seed, @ForAll @IntRange(min = 1, max = 10) int length) {
        ChainProfile chain = Chains.random(new Random(seed), length, 6);
        double before = Double.POSITIVE_INFINITY;
        for (long budget = 1; budget <= Chains.storeAllBytes(chain); budget += 3) {
            double time =
                    exact(budget).plan(chain, budget).map(ChainPlan::timeMs).orElse(Double.POSITIVE_INFINITY);
            assertThat(time).isLessThanOrEqualTo(before);
            before = time;
        }
        assertThat(exact(Chains.storeAllBytes(chain))
                        .plan(chain, Chains.storeAllBytes(chain))
                        .orElseThrow()
                        .timeMs())
                .isCloseTo(chain.unrecomputedMs(), within(1e-9));
    }

    /** Schedules that drop a kept state early and make it again can be faster still, as the paper says. */
    @Property(tries = 60)
    void brute_force_confirms_the_optimum(@ForAll int seed, @ForAll @IntRange(min = 1, max = 4) int length) {
        ChainProfile chain = Chains.random(new Random(seed), length, 4);
        long all = Chains.storeAllBytes(chain);
        for (long budget = all / 2; budget <= all; budget += Math.max(1, all / 8)) {
            OptionalDouble fastest = FastestSchedule.persistentMs(chain, budget);
            OptionalDouble free = FastestSchedule.freeMs(chain, budget);
            Optional<ChainPlan> plan = exact(budget - chain.inputBytes()).plan(chain, budget);
            assertThat(plan.isPresent()).isEqualTo(fastest.isPresent());
            plan.ifPresent(each -> {
                assertThat(each.timeMs()).isCloseTo(fastest.getAsDouble(), within(1e-9));
                assertThat(each.timeMs()).isGreaterThanOrEqualTo(free.getAsDouble() - 1e-9);
            });
        }
    }

    /** Sizes of tens and hundreds of bytes: nothing is rounded, though the usual resolution is 500. */
    @Property(tries = 60)
    void small_chains_are_planned_to_the_byte(@ForAll int seed, @ForAll @IntRange(min = 1, max = 4) int length) {
        ChainProfile chain = Chains.random(new Random(seed), length, 120);
        long all = Chains.storeAllBytes(chain);
        for (long budget = all; budget >= all / 2; budget -= Math.max(1, all / 11)) {
            OptionalDouble fastest = FastestSchedule.persistentMs(chain, budget);
            Optional<ChainPlan> plan = new OptimalChain().plan(chain, budget);
            assertThat(plan.isPresent()).isEqualTo(fastest.isPresent());
            plan.ifPresent(each -> assertThat(each.timeMs()).isCloseTo(fastest.getAsDouble(), within(1e-9)));
        }
    }

    /** What is 120 of something is so too when that is a mebibyte. */
    @Property(tries = 60)
    void sizes_count_in_what_divides_them_all(
            @ForAll int seed,
            @ForAll @IntRange(min = 1, max = 8) int length,
            @ForAll @IntRange(min = 40, max = 100) int percent) {
        ChainProfile bytes = Chains.random(new Random(seed), length, 120);
        ChainProfile mebibytes = Chains.scaled(bytes, 1 << 20);
        long budget = Chains.storeAllBytes(bytes) * percent / 100;
        Optional<Double> small = new OptimalChain().plan(bytes, budget).map(ChainPlan::timeMs);
        assertThat(new OptimalChain().plan(mebibytes, budget << 20).map(ChainPlan::timeMs))
                .isEqualTo(small);
    }

    /** Sizes that share no divisor must be rounded, which costs neither keeping everything nor the choice of single stages. */
    @Property(tries = 60)
    void rounding_never_loses_against_simpler_choices(
            @ForAll int seed,
            @ForAll @IntRange(min = 1, max = 12) int length,
            @ForAll @IntRange(min = 20, max = 100) int percent) {
        ChainProfile chain = Chains.random(new Random(seed), length, 1 << 29);
        for (long budget : new long[] {Chains.storeAllBytes(chain), Chains.storeAllBytes(chain) / 100 * percent}) {
            for (ChainPlanner simpler : List.of(new StoreAll(), new LayerwiseRecompute())) {
                simpler.plan(chain, budget)
                        .ifPresent(plan -> assertThat(new OptimalChain()
                                        .plan(chain, budget)
                                        .orElseThrow()
                                        .timeMs())
                                .as(simpler.id())
                                .isLessThanOrEqualTo(plan.timeMs() + 1e-9));
            }
        }
    }

    @Test
    void the_top_budget_recomputes_nothing() {
        ChainProfile chain = new ChainProfile(
                100,
                List.of(
                        new ChainStage("a", 1, 2, 100, 300, 0, 0),
                        new ChainStage("b", 5, 7, 80, 400, 0, 0),
                        new ChainStage("c", 2, 4, 120, 250, 0, 0),
                        new ChainStage("d", 3, 3, 60, 200, 0, 0)));
        ChainPlan plan =
                new OptimalChain().plan(chain, Chains.storeAllBytes(chain)).orElseThrow();
        assertThat(plan.timeMs()).isEqualTo(27);
    }

    @Test
    void revolve_takes_as_many_steps_as_the_closed_form_says() {
        for (int length = 1; length <= 60; length++) {
            for (int kept = 1; kept <= length; kept++) {
                ChainPlan plan = ChainPlan.of(Chains.alike(length), Revolve.schedule(length, kept));
                assertThat(plan.recomputations()).isEqualTo((int) Revolve.fewestExtraForwards(length, kept));
            }
        }
    }

    @Test
    void the_optimum_needs_no_more_steps_than_revolve_on_stages_that_are_alike() {
        ChainProfile chain = Chains.alike(30);
        for (long budget = 4; budget <= 40; budget++) {
            Optional<ChainPlan> revolve = new Revolve().plan(chain, budget);
            Optional<ChainPlan> optimum = exact(budget).plan(chain, budget);
            assertThat(optimum.isPresent() || revolve.isEmpty()).isTrue();
            revolve.ifPresent(plan -> assertThat(optimum.orElseThrow().timeMs()).isLessThanOrEqualTo(plan.timeMs()));
        }
    }

    @Test
    void chen_keeps_about_the_square_root() {
        ChainProfile chain = Chains.alike(100);

        ChainPlan plan = new ChenSquareRoot().plan(chain, Long.MAX_VALUE).orElseThrow();

        assertThat(plan.recomputations()).isEqualTo(90);
        assertThat(plan.peakBytes()).isBetween(18L, 24L);
    }

    @Test
    void a_schedule_that_reads_what_is_not_there_is_refused() {
        assertThatThrownBy(() -> ChainPlan.of(Chains.alike(2), List.of(ChainStep.forward(1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nothing has computed stage 0");
        assertThatThrownBy(() -> ChainPlan.of(Chains.alike(1), List.of(ChainStep.forward(0), ChainStep.backward(0))))
                .hasMessageContaining("backward pass needs is not there");
        assertThatThrownBy(() -> ChainPlan.of(Chains.alike(1), List.of(ChainStep.saving(0))))
                .hasMessageContaining("never gets its gradient");
    }

    private static OptimalChain exact(long budget) {
        return new OptimalChain((int) Math.max(1, budget));
    }
}
