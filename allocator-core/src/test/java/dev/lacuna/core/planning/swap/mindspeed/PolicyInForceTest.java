package dev.lacuna.core.planning.swap.mindspeed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.planning.swap.mindspeed.LayerCombination.Kind;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Facts, sections 2.5 to 2.7, and the tests of function locations and of the policy cache in 2.11. */
final class PolicyInForceTest {
    private static final LayerCombination NONE = new LayerCombination(Kind.NONE, List.of(), List.of(), 100, 0);

    @Test
    void calls_of_a_function_go_round_the_chunks_a_pipeline_of_micro_batches_at_a_time() {
        FunctionCalls calls = new FunctionCalls(new StagePlace(4, 3, 0, 24, 8));

        assertThat(IntStream.range(0, 32).filter(call -> calls.layerOf(call) == 2))
                .containsExactly(8, 10, 12, 14);
    }

    @Test
    void without_chunks_calls_go_round_the_layers() {
        FunctionCalls stage = new FunctionCalls(new StagePlace(4, 1, 0, 24, 8));
        FunctionCalls all = new FunctionCalls(new StagePlace(1, 1, 0, 24, 8));

        assertThat(IntStream.range(0, 48).filter(call -> stage.layerOf(call) == 2))
                .allMatch(call -> call % 6 == 2);
        assertThat(IntStream.range(0, 48).filter(call -> stage.layerOf(call) == 2))
                .hasSize(8);
        assertThat(IntStream.range(0, 72).filter(call -> all.layerOf(call) == 2))
                .containsExactly(2, 26, 50);
    }

    @Test
    void layers_take_the_rows_in_order() {
        PolicyApplication applied = PolicyApplication.of(
                List.of(List.of(1, 0, 0, 0), List.of(2, 2, 0, 1), List.of(1, 1, 1, 1), List.of(1, 3, 2, 2)),
                List.of("norm", "attention"));

        assertThat(applied.layers()).hasSize(5);
        assertThat(applied.layers().get(0).whole()).isTrue();
        assertThat(applied.layers().get(2).recompute()).containsExactly("norm");
        assertThat(applied.layers().get(2).swap()).containsExactly("attention");
        assertThat(applied.layers().get(3).swap()).containsExactly("norm", "attention");
        assertThat(applied.layers().get(4)).isEqualTo(new PolicyApplication.Layer(false, List.of(), List.of()));
        assertThatThrownBy(() -> PolicyApplication.of(List.of(List.of(1, 0)), List.of("norm")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void policies_are_the_same_whatever_the_order_of_modules_and_layers() {
        LayerCombination one = adaptive(List.of("a", "b"), List.of("c", "d"), 10);
        LayerCombination other = adaptive(List.of("b", "a"), List.of("d", "c"), 11);

        assertThat(identity(one, NONE)).isEqualTo(identity(NONE, other));
        assertThat(identity(one, NONE)).isNotEqualTo(identity(one, one));
        assertThat(identity(one)).isNotEqualTo(identity(adaptive(List.of("a"), List.of("b", "c", "d"), 10)));
    }

    private static PolicyIdentity identity(LayerCombination... layers) {
        return PolicyIdentity.of(new StagePolicy(new StagePlace(1, 1, 0, layers.length, 1), List.of(layers)));
    }

    private static LayerCombination adaptive(List<String> recompute, List<String> swap, double memoryMb) {
        return new LayerCombination(Kind.ADAPTIVE, recompute, swap, memoryMb, 1);
    }
}
