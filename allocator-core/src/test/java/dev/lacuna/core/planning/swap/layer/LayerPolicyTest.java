package dev.lacuna.core.planning.swap.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LayerPolicyTest {
    @Test
    void letters_stand_for_actions_in_the_order_of_layers() {
        LayerPolicy policy = LayerPolicy.parse("KSR");

        assertThat(policy.actions()).containsExactly(LayerAction.KEEP, LayerAction.SWAP, LayerAction.RECOMPUTE);
        assertThat(policy.letters()).isEqualTo("KSR");
        assertThat(LayerPolicy.all(LayerAction.SWAP, 3).letters()).isEqualTo("SSS");
        assertThat(policy.count(LayerAction.SWAP)).isOne();
    }

    @Test
    void other_letters_are_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> LayerPolicy.parse("KSr"));
    }

    @Test
    void every_layer_may_be_kept() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LayerMeasurement("head", 1, 1, 1, 1, 0, 0, 1, Set.of(LayerAction.SWAP)));
    }

    @Test
    void a_profile_sums_what_its_layers_keep() {
        LayerMeasurement layer = new LayerMeasurement("blocks.0", 10, 20, 300, 40, 0, 0, 2);

        assertThat(layer.possible()).containsExactlyInAnyOrder(LayerAction.values());
        assertThat(new LayerProfile(List.of(layer, layer), 60, 1000, 2000, 400, 0).savedBytes())
                .isEqualTo(600);
    }
}
