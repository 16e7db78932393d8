package dev.lacuna.app.ortools.cpsat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.allocator.packing.ExactSolver.Answer;
import dev.lacuna.core.allocator.packing.ExactSolver.Verdict;
import dev.lacuna.core.allocator.packing.Lifetimes;
import dev.lacuna.core.allocator.packing.Plan;
import dev.lacuna.core.allocator.packing.Planner;
import dev.lacuna.core.allocator.packing.SearchBudget;
import dev.lacuna.core.allocator.packing.SkylineSolver;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf("dev.lacuna.app.ortools.OrToolsJars#natives")
class PackingProgrammeTest {
    private static final SearchBudget AMPLE = new SearchBudget(Long.MAX_VALUE, 60_000);

    private final PackingProgramme solver = new PackingProgramme();

    @Test
    void agrees_with_the_own_search_at_and_below_the_bound() {
        Random random = new Random(5);
        int fits = 0;
        for (int i = 0; i < 60; i++) {
            Lifetimes blocks = blocks(random, 12);
            long bound = Planner.lowerBound(blocks);
            for (long capacity = bound - 1; capacity <= bound; capacity++) {
                Answer own = new SkylineSolver().solve(blocks, capacity, SearchBudget.ofNodes(1_000_000));
                Answer answer = solver.solve(blocks, capacity, AMPLE);
                assertThat(answer.verdict()).isEqualTo(own.verdict());
                if (answer.verdict() == Verdict.FITS) {
                    fits++;
                    Plan plan = answer.plan().orElseThrow();
                    assertThat(plan.firstOverlap()).isEmpty();
                    assertThat(plan.height()).isLessThanOrEqualTo(capacity);
                }
            }
        }
        assertThat(fits).isPositive();
    }

    @Test
    void fits_a_rectangle_that_was_cut_into_pieces() {
        Lifetimes blocks = strips(new Random(1), 30);
        Plan plan = solver.solve(blocks, 64L << 20, AMPLE).plan().orElseThrow();
        assertThat(plan.firstOverlap()).isEmpty();
        assertThat(plan.height()).isEqualTo(64L << 20);
    }

    @Test
    void blocks_without_room_and_times_far_apart_are_no_matter() {
        Lifetimes none = Lifetimes.builder().add(3, 3, 8).add(0, 9, 0).build();
        assertThat(solver.solve(none, 0, AMPLE).verdict()).isEqualTo(Verdict.FITS);
        Lifetimes apart = Lifetimes.builder()
                .add(Long.MIN_VALUE, -5, 1L << 50)
                .add(5, Long.MAX_VALUE, 1L << 50)
                .build();
        assertThat(solver.solve(apart, 1L << 50, AMPLE).verdict()).isEqualTo(Verdict.FITS);
        Lifetimes huge = Lifetimes.builder().add(0, 1, Long.MAX_VALUE).build();
        assertThat(solver.solve(huge, Long.MAX_VALUE, AMPLE).verdict()).isEqualTo(Verdict.UNDECIDED);
    }

    @Test
    void an_interrupted_caller_is_told_that_nothing_is_decided() {
        Thread.currentThread().interrupt();
        Answer answer = solver.solve(strips(new Random(2), 40), 64L << 20, AMPLE);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(answer.verdict()).isEqualTo(Verdict.UNDECIDED);
    }

    private static Lifetimes blocks(Random random, int count) {
        Lifetimes.Builder blocks = Lifetimes.builder();
        for (int i = 0; i < count; i++) {
            int from = random.nextInt(8);
            blocks.add(from, from + 1 + random.nextInt(5), 2 * (1 + random.nextInt(6)));
        }
        return blocks.build();
    }

    /** Strips of a rectangle of 64 MiB, each cut in time at moments of its own: no slack anywhere. */
    private static Lifetimes strips(Random random, int count) {
        Lifetimes.Builder blocks = Lifetimes.builder();
        long left = 64L << 20;
        for (int i = 0; i < count / 2; i++) {
            long size = i == count / 2 - 1 ? left : 512L * (1 + random.nextInt((int) (left / 2048)));
            left -= size;
            int cut = 1 + random.nextInt(98);
            blocks.add(0, cut, size).add(cut, 100, size);
        }
        return blocks.build();
    }
}
