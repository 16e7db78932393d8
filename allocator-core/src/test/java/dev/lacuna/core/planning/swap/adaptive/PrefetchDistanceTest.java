package dev.lacuna.core.planning.swap.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.config.mindformers.LayerGrid;
import dev.lacuna.core.planning.swap.layer.LayerMeasurement;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class PrefetchDistanceTest {
    private static final long MS = 1_000_000;

    private static List<Integer> of(long copyMs, String letters) {
        LayerMeasurement layer =
                new LayerMeasurement("l", 10 * MS, 20 * MS, 1 << 30, 1 << 20, copyMs * MS, copyMs * MS, 1);
        return PrefetchDistance.of(
                new LayerProfile(Collections.nCopies(letters.length(), layer), 0, 0, 0, 0, 0),
                LayerPolicy.parse(letters));
    }

    @Test
    void one_operator_is_early_enough_where_a_copy_hides_behind_its_layer() {
        assertThat(of(20, "KSSSKK")).containsOnly(1);
        assertThat(of(5, "KSSSKK")).containsOnly(1);
    }

    @Test
    void a_copy_that_takes_longer_than_its_layer_begins_as_much_earlier_as_it_lags() {
        List<Integer> ahead = of(30, "KSKKKKKK");
        int operators = LayerGrid.operators().size();
        // Half an operator is lost at each: so many halves and the copy itself.
        assertThat(ahead.get(1)).isEqualTo((int) Math.ceil(1.5 + (operators - 1) * 0.5));
        assertThat(ahead.get(0)).isEqualTo(1);
    }

    @Test
    void copies_in_a_row_queue_and_none_begins_before_the_pass_does() {
        List<Integer> ahead = of(30, "SSSKKKKKKKK");
        assertThat(ahead.get(0)).isGreaterThan(ahead.get(1));
        assertThat(ahead.get(1)).isGreaterThan(ahead.get(2));
        assertThat(of(2000, "KKS").get(2)).isEqualTo(1);
    }
}
