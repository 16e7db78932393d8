package dev.lacuna.core.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.estimate.input.Arguments;
import dev.lacuna.core.estimate.input.EstimateInput;
import dev.lacuna.core.estimate.input.Presets;
import dev.lacuna.core.planning.TraceEstimate;
import dev.lacuna.core.planning.graph.model.GraphNode;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CalibrationTest {
    private static final Arguments NOTHING = new Arguments(Map.of());
    private final EstimateInput input =
            EstimateInput.of(Presets.of("llama2-7b-tp8-4k").orElseThrow());

    @Test
    void agrees_with_a_process_that_takes_what_was_estimated() throws RefusedException {
        long bytes = Math.round(estimated(NOTHING) * 1.01);
        Calibration calibration = Calibration.of(input, NOTHING, 0, new Measured(bytes, bytes + 100, 7));
        assertThat(calibration.agrees()).isTrue();
        assertThat(calibration.explanations()).isEmpty();
        assertThat(calibration.gapBytes()).isEqualTo(100);
        assertThat(calibration.deviceBytes()).isEqualTo(calibration.estimatedBytes() + 107);
    }

    @Test
    void finds_the_setting_with_which_the_process_runs() throws RefusedException {
        Arguments full = Arguments.parse("--recompute-granularity full --recompute-method uniform");
        long bytes = Math.round(estimated(full));
        Calibration calibration = Calibration.of(input, NOTHING, 0, new Measured(bytes, bytes, 0));
        assertThat(calibration.agrees()).isFalse();
        assertThat(calibration.explanations()).first().satisfies(e -> {
            assertThat(e.key()).isEqualTo("recompute.full");
            assertThat(estimated(e.arguments())).isEqualTo(e.bytes());
        });
    }

    @Test
    void takes_what_is_far_off_for_another_model_and_explains_nothing_by_settings() throws RefusedException {
        long bytes = Math.round(estimated(NOTHING));
        for (long far : new long[] {bytes / 11, bytes * 11}) {
            Calibration other = Calibration.of(input, NOTHING, 0, new Measured(far, far, 0));
            assertThat(other.isOtherModel()).isTrue();
            assertThat(other.explanations()).isEmpty();
        }
        assertThat(Calibration.of(input, NOTHING, 0, new Measured(bytes / 9, bytes / 9, 0))
                        .isOtherModel())
                .isFalse();
    }

    @Test
    void offers_only_settings_that_come_near_what_was_measured() throws RefusedException {
        for (int share = 5; share <= 300; share += 5) {
            long bytes = Math.round(estimated(NOTHING) * share / 100);
            assertThat(Calibration.of(input, NOTHING, 0, new Measured(bytes, bytes, 0))
                            .explanations())
                    .allSatisfy(e -> assertThat(Math.abs(e.bytes() - bytes)).isLessThanOrEqualTo(0.25 * bytes));
        }
    }

    @Test
    void takes_a_small_rest_for_work_spaces_and_a_large_one_not() throws RefusedException {
        long bytes = Math.round(estimated(NOTHING));
        Calibration some = Calibration.of(input, NOTHING, 0, new Measured(bytes + 50_000_000, bytes + 50_000_000, 0));
        assertThat(some.overheadBytes(100_000_000)).hasValue(150_000_000);
        Calibration much = Calibration.of(input, NOTHING, 0, new Measured(3 * bytes, 3 * bytes, 0));
        assertThat(much.overheadBytes(100_000_000)).isEmpty();
    }

    @Test
    void estimates_every_preset_with_a_layout() throws RefusedException {
        for (String name : Presets.names()) {
            if (name.contains("-tp") || name.contains("-dp")) {
                Estimate estimate = new Estimator(
                                EstimateInput.of(Presets.of(name).orElseThrow()).configuration(NOTHING))
                        .estimate();
                assertThat(estimate.binding().memory().value()).as(name).isPositive();
            }
        }
        assertThat(Presets.names())
                .filteredOn(n -> n.matches("llama2-\\d+b-.*"))
                .hasSize(9);
    }

    /** a(10) → b(20) → c(5, reads a and b): computed by hand. */
    @Test
    void estimates_an_exported_graph_under_each_rule() {
        GraphProfile graph = new GraphProfile(
                "g",
                "",
                100,
                List.of(
                        new GraphNode("a", 1, 10, 0, false, List.of()),
                        new GraphNode("b", 1, 20, 4, false, List.of(0)),
                        new GraphNode("c", 1, 5, 0, true, List.of(1)),
                        new GraphNode("d", 1, 1, 0, true, List.of(2))));
        TraceEstimate estimate = TraceEstimate.of(graph, 1000, 2000);
        assertThat(peak(estimate, TraceEstimate.Rule.ON_DEMAND_ON_DEATH)).isEqualTo(3100 + 34);
        assertThat(peak(estimate, TraceEstimate.Rule.ON_DEMAND_ON_EXIT)).isEqualTo(3100 + 36);
        assertThat(peak(estimate, TraceEstimate.Rule.ON_START_ON_DEATH)).isEqualTo(3100 + 40);
        assertThat(peak(estimate, TraceEstimate.Rule.ON_START_ON_EXIT)).isEqualTo(3100 + 40);
    }

    private static long peak(TraceEstimate estimate, TraceEstimate.Rule rule) {
        return estimate.peaks().get(rule).rounded();
    }

    private double estimated(Arguments overriding) throws RefusedException {
        return new Estimator(input.configuration(overriding))
                .estimate()
                .stages()
                .get(0)
                .memory()
                .value();
    }
}
