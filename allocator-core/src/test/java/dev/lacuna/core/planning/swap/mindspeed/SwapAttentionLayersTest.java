package dev.lacuna.core.planning.swap.mindspeed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The lists of MindSpeed's own tests. */
final class SwapAttentionLayersTest {
    private static List<List<String>> swapped(int layers, int stages, int interleaves, int rank, Integer... noops) {
        return SwapAttentionLayers.swapped(new StagePlace(stages, interleaves, rank, layers, 1), Set.of(noops));
    }

    @Test
    void one_stage_swaps_all_layers_and_recomputes_the_first() {
        assertThat(swapped(8, 1, 1, 0)).containsExactly(List.of("0", "1", "2", "3", "4", "5", "6", "7"));
        assertThat(SwapAttentionLayers.recomputed(new StagePlace(1, 1, 0, 8, 1), 4))
                .containsExactly("0", "1", "2", "3");
    }

    @Test
    void each_of_two_stages_counts_from_its_own_first_layer() {
        for (int rank = 0; rank < 2; rank++) {
            assertThat(swapped(8, 2, 1, rank)).containsExactly(List.of("0", "1", "2", "3"));
            assertThat(SwapAttentionLayers.recomputed(new StagePlace(2, 1, rank, 8, 1), 4))
                    .containsExactly("0", "1", "2", "3");
        }
    }

    @Test
    void a_layer_that_does_nothing_has_no_name() {
        assertThat(swapped(8, 2, 1, 0, 0, 7)).containsExactly(List.of("", "1", "2", "3"));
        assertThat(swapped(8, 2, 1, 1, 0, 7)).containsExactly(List.of("0", "1", "2", ""));
    }

    @Test
    void chunks_take_turns_along_the_pipeline() {
        assertThat(swapped(8, 2, 4, 0, 0, 7)).containsExactly(List.of(""), List.of("0"), List.of("0"), List.of("0"));
        assertThat(swapped(8, 2, 4, 1, 0, 7)).containsExactly(List.of("0"), List.of("0"), List.of("0"), List.of(""));
        assertThat(swapped(8, 2, 2, 0, 0, 1, 6, 7)).containsExactly(List.of("", ""), List.of("0", "1"));
        assertThat(swapped(8, 2, 2, 1, 0, 1, 6, 7)).containsExactly(List.of("0", "1"), List.of("", ""));
        assertThat(swapped(16, 4, 2, 0, 0, 7)).containsExactly(List.of("", "1"), List.of("0", "1"));
        assertThat(swapped(16, 4, 2, 3, 0, 7)).containsExactly(List.of("0", ""), List.of("0", "1"));
    }
}
