package dev.lacuna.core.allocator.packing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.allocator.packing.ExactSolver.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class SkylineSolverTest {
    private static final SearchBudget AMPLE = SearchBudget.ofNodes(2_000_000);

    private final SkylineSolver solver = new SkylineSolver();

    @Test
    void nothing_fits_into_nothing() {
        Lifetimes none = Lifetimes.builder().add(3, 3, 100).add(0, 5, 0).build();
        assertThat(solver.solve(none, 0, AMPLE).verdict()).isEqualTo(Verdict.FITS);
    }

    @Test
    void blocks_that_meet_only_at_an_end_share_a_place() {
        Lifetimes blocks = Lifetimes.builder().add(0, 5, 100).add(5, 9, 100).build();
        Plan plan = solver.solve(blocks, 100, AMPLE).plan().orElseThrow();
        assertThat(plan.height()).isEqualTo(100);
        assertThat(plan.firstOverlap()).isEmpty();
    }

    @Test
    void more_alive_at_once_than_the_capacity_is_impossible_without_a_search() {
        Lifetimes blocks = Lifetimes.builder().add(0, 5, 100).add(4, 9, 1).build();
        ExactSolver.Answer answer = solver.solve(blocks, 100, AMPLE);
        assertThat(answer).isEqualTo(new ExactSolver.Answer(Verdict.IMPOSSIBLE, java.util.Optional.empty(), 0));
    }

    @Test
    void a_search_that_is_cut_short_claims_nothing() {
        Lifetimes hard = Tilings.of(300, 0, 1);
        ExactSolver.Answer answer = solver.solve(hard, Tilings.CAPACITY, SearchBudget.ofNodes(10));
        assertThat(answer.verdict()).isEqualTo(Verdict.UNDECIDED);
        assertThat(answer.plan()).isEmpty();
    }

    @Test
    void the_same_search_ends_the_same_way() {
        Lifetimes hard = Tilings.of(120, 0.1, 5);
        ExactSolver.Answer once = solver.solve(hard, Tilings.CAPACITY, SearchBudget.ofNodes(50_000));
        ExactSolver.Answer again = solver.solve(hard, Tilings.CAPACITY, SearchBudget.ofNodes(50_000));
        assertThat(again.nodes()).isEqualTo(once.nodes());
        assertThat(again.verdict()).isEqualTo(once.verdict());
    }

    @Property(tries = 150)
    void finds_the_optimum_of_every_tiny_instance_and_proves_it(@ForAll long seed) {
        Random random = new Random(seed);
        Lifetimes.Builder builder = Lifetimes.builder();
        int count = 2 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            int lower = random.nextInt(7);
            builder.add(lower, lower + 1 + random.nextInt(4), 1 + random.nextInt(6));
        }
        Lifetimes blocks = builder.build();
        long optimum = optimum(blocks, new ArrayList<>(), Long.MAX_VALUE);

        Plan plan = solver.solve(blocks, optimum, AMPLE).plan().orElseThrow();
        assertThat(plan.firstOverlap()).isEmpty();
        assertThat(plan.height()).isEqualTo(optimum);
        assertThat(solver.solve(blocks, optimum - 1, AMPLE).verdict()).isEqualTo(Verdict.IMPOSSIBLE);
    }

    @Property(tries = 12)
    void whatever_it_finds_is_sound_and_within_the_capacity(@ForAll long seed) {
        Lifetimes tiling = Tilings.of(60, 0.2, seed);
        ExactSolver.Answer answer = solver.solve(tiling, Tilings.CAPACITY, SearchBudget.ofNodes(20_000));
        assertThat(answer.verdict()).isNotEqualTo(Verdict.IMPOSSIBLE);
        answer.plan().ifPresent(plan -> {
            assertThat(plan.firstOverlap()).isEmpty();
            assertThat(plan.height()).isLessThanOrEqualTo(Tilings.CAPACITY);
        });
    }

    /** First fit reaches the optimum in some order: that of the offsets of an optimal plan. So all orders are tried. */
    private static long optimum(Lifetimes blocks, List<Integer> order, long best) {
        if (order.size() == blocks.count()) {
            return Math.min(best, firstFitHeight(blocks, order));
        }
        long lowest = best;
        for (int i = 0; i < blocks.count(); i++) {
            if (!order.contains(i)) {
                order.add(i);
                lowest = optimum(blocks, order, lowest);
                order.remove(order.size() - 1);
            }
        }
        return lowest;
    }

    private static long firstFitHeight(Lifetimes blocks, List<Integer> order) {
        long[] offset = new long[blocks.count()];
        long height = 0;
        for (int at = 0; at < order.size(); at++) {
            int b = order.get(at);
            boolean moved = true;
            while (moved) {
                moved = false;
                for (int i = 0; i < at; i++) {
                    int o = order.get(i);
                    boolean meets = blocks.lower(o) < blocks.upper(b)
                            && blocks.lower(b) < blocks.upper(o)
                            && offset[o] < offset[b] + blocks.size(b)
                            && offset[b] < offset[o] + blocks.size(o);
                    if (meets) {
                        offset[b] = offset[o] + blocks.size(o);
                        moved = true;
                    }
                }
            }
            height = Math.max(height, offset[b] + blocks.size(b));
        }
        return height;
    }
}
