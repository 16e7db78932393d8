package dev.lacuna.core.allocator.packing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class PlannerTest {
    private static final ExactSolver GIVES_UP = (blocks, capacity, budget) ->
            new ExactSolver.Answer(ExactSolver.Verdict.UNDECIDED, java.util.Optional.empty(), 0);

    @Property(tries = 40)
    void no_two_blocks_of_a_plan_overlap(@ForAll long seed) {
        Random random = new Random(seed);
        Lifetimes.Builder builder = Lifetimes.builder();
        int count = random.nextInt(200);
        for (int i = 0; i < count; i++) {
            int lower = random.nextInt(100);
            builder.add(lower, lower + random.nextInt(40), random.nextInt(1 << (1 + random.nextInt(20))));
        }
        Lifetimes blocks = builder.build();
        for (long steps : new long[] {1, 1_000_000}) {
            Plan plan = new Planner(GIVES_UP, steps).plan(blocks);
            assertThat(plan.firstOverlap()).isEmpty();
            assertThat(plan.height()).isGreaterThanOrEqualTo(Planner.lowerBound(blocks));
        }
    }

    @Test
    void search_lowers_what_heuristics_leave() {
        Lifetimes blocks = Tilings.of(60, 0.2, 2);
        long heuristic = new Planner(GIVES_UP, 1).plan(blocks).height();
        Plan searched = new Planner(new SkylineSolver(), 1).plan(blocks);
        assertThat(searched.firstOverlap()).isEmpty();
        assertThat(searched.height()).isLessThan(heuristic);
    }

    @Test
    void a_plan_that_fits_comes_before_one_that_is_low() {
        Lifetimes blocks = Tilings.of(60, 0.2, 2);
        long capacity = Planner.lowerBound(blocks);
        List<Long> asked = new ArrayList<>();
        ExactSolver solver = (lifetimes, ceiling, budget) -> {
            asked.add(ceiling);
            return new SkylineSolver().solve(lifetimes, ceiling, budget);
        };
        Plan plan = new Planner(solver, 1).plan(blocks, capacity + 1);
        assertThat(plan.height()).isLessThanOrEqualTo(capacity + 1);
        assertThat(asked.get(0)).isEqualTo(capacity + 1);
    }

    @Test
    void an_unsound_plan_is_told_by_its_block() {
        Lifetimes blocks = Lifetimes.builder().add(0, 5, 10).add(4, 8, 10).build();
        assertThat(new Plan(blocks, new long[] {0, 9}).firstOverlap()).hasValue(1);
        assertThat(new Plan(blocks, new long[] {-1, 10}).firstOverlap()).hasValue(0);
        assertThat(new Plan(blocks, new long[] {0, 10}).firstOverlap()).isEmpty();
    }

    @Test
    void a_table_that_is_none_is_refused_with_its_line() {
        assertThatThrownBy(() -> LifetimesReader.read("id,lower,upper,size\n0,0,5,10\n1,7,6,10\n"))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("3: ");
        assertThatThrownBy(() -> LifetimesReader.read("lower,upper\n")).hasMessageStartingWith("1: ");
    }
}
