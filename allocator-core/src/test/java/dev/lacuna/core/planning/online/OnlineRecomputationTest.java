package dev.lacuna.core.planning.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.planning.online.OnlineRun.Outcome;
import dev.lacuna.core.planning.online.program.OperatorCall;
import dev.lacuna.core.planning.online.program.OperatorProgram;
import dev.lacuna.core.planning.online.victim.EvictionHeuristic;
import dev.lacuna.core.planning.online.victim.SearchShortcuts;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class OnlineRecomputationTest {
    private static final long BYTES = 100;

    /** A forward chain whose states are all read again backwards, each state and gradient of one size. */
    private static OperatorProgram chain(int length) {
        OperatorProgram.Builder program = OperatorProgram.builder();
        int[] states = new int[length + 1];
        states[0] = program.call(OperatorCall.CONSTANT, 0, new int[0], new long[] {BYTES}, new int[] {-1});
        program.pin(states[0]);
        for (int i = 1; i <= length; i++) {
            states[i] = program.call("forward", 10, new int[] {states[i - 1]}, new long[] {BYTES}, new int[] {-1});
        }
        int gradient = states[length];
        for (int i = length - 1; i >= 0; i--) {
            int next =
                    program.call("backward", 10, new int[] {states[i], gradient}, new long[] {BYTES}, new int[] {-1});
            program.release(gradient);
            gradient = next;
        }
        program.pin(gradient);
        return program.build();
    }

    @ParameterizedTest
    @EnumSource(EvictionHeuristic.class)
    void nothing_is_recomputed_when_everything_fits(EvictionHeuristic heuristic) {
        OperatorProgram program = chain(20);
        OnlineRun run = OnlineRecomputation.run(program, program.peakBytes(), heuristic);
        assertThat(run.outcome()).isEqualTo(Outcome.FINISHED);
        assertThat(run.recomputations()).isZero();
        assertThat(run.peakBytes()).isEqualTo(program.peakBytes());
    }

    @ParameterizedTest
    @EnumSource(EvictionHeuristic.class)
    void a_smaller_budget_is_kept_and_paid_for(EvictionHeuristic heuristic) {
        OnlineRun run = OnlineRecomputation.run(
                chain(20), 14 * BYTES, heuristic, SearchShortcuts.NONE, heuristic.needsPlaces(), 20);
        assertThat(run.outcome()).isEqualTo(Outcome.FINISHED);
        assertThat(run.recomputations()).isPositive();
        assertThat(run.clockNs()).isEqualTo(1 + run.baseNs() + 10 * run.recomputations());
        assertThat(run.peakBytes()).isLessThanOrEqualTo(14 * BYTES);
    }

    @ParameterizedTest
    @EnumSource(EvictionHeuristic.class)
    void a_call_larger_than_the_budget_is_out_of_memory(EvictionHeuristic heuristic) {
        assertThat(OnlineRecomputation.run(chain(5), 2 * BYTES, heuristic).outcome())
                .isEqualTo(Outcome.OUT_OF_MEMORY);
    }

    @Test
    void shortcuts_look_at_fewer_storages_and_still_finish() {
        OperatorProgram program = chain(200);
        OnlineRun all = OnlineRecomputation.run(program, 120 * BYTES, EvictionHeuristic.DTR_EQ);
        OnlineRun some = OnlineRecomputation.run(
                program, 120 * BYTES, EvictionHeuristic.DTR_EQ, SearchShortcuts.both(7), false, 3);
        assertThat(some.outcome()).isEqualTo(Outcome.FINISHED);
        assertThat(some.evaluations()).isLessThan(all.evaluations() / 4);
    }

    @Test
    void small_storages_are_left_alone_by_the_shortcut() {
        OperatorProgram.Builder program = OperatorProgram.builder();
        int small = program.call("small", 0, new int[0], new long[] {1}, new int[] {-1});
        program.call("large", 1000, new int[0], new long[] {1000}, new int[] {-1});
        program.call("next", 10, new int[] {small}, new long[] {1000}, new int[] {-1});
        OperatorProgram built = program.build();
        SearchShortcuts skip = new SearchShortcuts(true, false, 0);
        assertThat(OnlineRecomputation.run(built, 1500, EvictionHeuristic.LRU, skip, false, 3)
                        .evaluations())
                .isEqualTo(1);
    }

    @Test
    void places_make_neighbours_worth_more_than_bytes() {
        OnlineRun counted =
                OnlineRecomputation.run(ladder(), 8 * BYTES, EvictionHeuristic.LARGEST, SearchShortcuts.NONE, false, 9);
        OnlineRun placed =
                OnlineRecomputation.run(ladder(), 8 * BYTES, EvictionHeuristic.LARGEST, SearchShortcuts.NONE, true, 9);
        OnlineRun window = OnlineRecomputation.run(ladder(), 8 * BYTES, EvictionHeuristic.WINDOW);
        assertThat(counted.evictions()).isLessThan(placed.evictions());
        assertThat(window.evictions()).isLessThanOrEqualTo(placed.evictions());
        assertThat(window.outcome()).isEqualTo(Outcome.FINISHED);
    }

    /** Eight storages, every second one pinned down by being larger in cost, then one that needs three together. */
    private static OperatorProgram ladder() {
        OperatorProgram.Builder program = OperatorProgram.builder();
        for (int i = 0; i < 8; i++) {
            program.call("step", i % 2 == 0 ? 1 : 1000, new int[0], new long[] {BYTES + i % 2 - 1}, new int[] {-1});
        }
        program.call("wide", 1, new int[0], new long[] {3 * BYTES}, new int[] {-1});
        return program.build();
    }

    @Test
    void a_view_is_made_again_with_its_storage() {
        OperatorProgram.Builder program = OperatorProgram.builder();
        int base = program.call("base", 10, new int[0], new long[] {BYTES}, new int[] {-1});
        int view = program.call("view", 1, new int[] {base}, new long[] {0}, new int[] {0});
        int other = program.call("other", 10, new int[0], new long[] {BYTES}, new int[] {-1});
        program.release(other);
        int wide = program.call("wide", 10, new int[0], new long[] {2 * BYTES}, new int[] {-1});
        program.release(wide);
        program.call("reads", 10, new int[] {view}, new long[] {BYTES}, new int[] {-1});
        OnlineRun run = OnlineRecomputation.run(
                program.build(), 2 * BYTES, EvictionHeuristic.LRU, SearchShortcuts.NONE, false, 3);
        assertThat(run.outcome()).isEqualTo(Outcome.FINISHED);
        assertThat(run.recomputations()).isEqualTo(2);
        assertThat(run.clockNs()).isEqualTo(1 + 41 + 11);
    }

    @Test
    void long_chains_are_made_again_without_a_deep_stack() {
        OperatorProgram.Builder program = OperatorProgram.builder();
        int[] states = new int[30_000];
        Arrays.setAll(states, i -> {
            int made = program.call(
                    "forward", 1, i == 0 ? new int[0] : new int[] {states[i - 1]}, new long[] {1}, new int[] {-1});
            if (i > 0) {
                program.release(states[i - 1]);
            }
            return made;
        });
        int last = states[states.length - 1];
        int wide = program.call("wide", 1, new int[0], new long[] {2}, new int[] {-1});
        program.release(wide);
        program.call("reads", 1, new int[] {last}, new long[] {1}, new int[] {-1});
        OnlineRun run = OnlineRecomputation.run(
                program.build(), 2, EvictionHeuristic.DTR_LOCAL, SearchShortcuts.NONE, false, 10);
        assertThat(run.recomputations()).isEqualTo(states.length);
    }

    @Test
    void heuristics_that_look_at_places_refuse_to_run_without() {
        OperatorProgram program = chain(3);
        assertThatThrownBy(() -> OnlineRecomputation.run(
                        program, 1000, EvictionHeuristic.WINDOW, SearchShortcuts.NONE, false, 2))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
