package dev.lacuna.core.planning.swap.mindspeed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LosslessSwapTest {
    private final ModuleProfile layer = module(
            "layer",
            module("norm"),
            module(
                    "attention",
                    module("query"),
                    new ModuleProfile("core", Optional.empty(), false, List.of(module("flash")))));

    @Test
    void starts_with_the_direct_children() {
        assertThat(new LosslessSwap(layer, 100).swapped()).containsExactlyInAnyOrder("norm", "attention");
    }

    @Test
    void breaks_up_the_last_module_while_the_layer_is_slower_than_five_per_cent() {
        LosslessSwap selection = new LosslessSwap(layer, 100);

        selection.stepEnded(105.1);

        assertThat(selection.stable()).isFalse();
        assertThat(selection.swapped()).containsExactlyInAnyOrder("norm", "query", "flash");
    }

    @Test
    void is_stable_at_five_per_cent() {
        LosslessSwap selection = new LosslessSwap(layer, 100);

        selection.stepEnded(105);
        selection.stepEnded(200);

        assertThat(selection.stable()).isTrue();
        assertThat(selection.swapped()).hasSize(2);
    }

    @Test
    void ends_with_nothing_swapped_when_nothing_hides() {
        LosslessSwap selection = new LosslessSwap(layer, 100);

        while (!selection.stable()) {
            selection.stepEnded(120);
        }

        assertThat(selection.swapped()).isEmpty();
    }

    private static ModuleProfile module(String name, ModuleProfile... children) {
        return new ModuleProfile(
                name, Optional.of(new ModuleProfile.Cost(50, 10, 10, 5, Optional.empty())), false, List.of(children));
    }
}
