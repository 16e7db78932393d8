package dev.lacuna.core.planning.swap.adaptive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PredictionTest {
    private static final long MIB = 1L << 20;
    private static final LayerProfile PROFILE = Profiles.of(
            0,
            Profiles.layer(100, 200, 40 * MIB, MIB, 50),
            Profiles.layer(100, 200, 40 * MIB, MIB, 50),
            Profiles.layer(100, 200, 40 * MIB, MIB, 50));

    @Test
    void plans_leave_the_spare_of_the_limit_under_which_they_are_measured() {
        long limit = 120 * MIB;

        assertThat(Prediction.of(PROFILE, List.of(limit), List.of())).allSatisfy(each -> {
            assertThat(each.limitBytes()).isEqualTo(limit);
            assertThat(each.plan().fits())
                    .isEqualTo(each.plan().peakBytes()
                            <= LimitSpare.ofProcess(PROFILE).plannable(limit));
        });
    }

    @Test
    void a_policy_that_ran_out_stands_beside_its_plan_without_a_time() {
        LayerPolicy all = LayerPolicy.parse("KKK");
        Prediction.Measured out = Prediction.Measured.ranOut(all, 200 * MIB);

        Prediction keepAll = Prediction.of(PROFILE, List.of(200 * MIB), List.of(out)).stream()
                .filter(each -> each.plan().method().equals("store-all"))
                .findFirst()
                .orElseThrow();

        assertThat(keepAll.measured())
                .hasValueSatisfying(each -> assertThat(each.isOut()).isTrue());
        assertThat(keepAll.timeError()).isEmpty();
    }

    @Test
    void a_measured_step_tells_how_far_off_the_prediction_was() {
        LayerPolicy all = LayerPolicy.parse("KKK");
        Prediction.Measured slower = new Prediction.Measured(all, 200 * MIB, 990, 120 * MIB);

        assertThat(Prediction.of(PROFILE, List.of(200 * MIB), List.of(slower)))
                .filteredOn(each -> each.plan().method().equals("store-all"))
                .singleElement()
                .satisfies(each -> assertThat(each.timeError().orElseThrow()).isCloseTo(0.1, within(1e-9)));
    }
}
