package dev.lacuna.core.planning.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lacuna.core.estimate.Estimator;
import dev.lacuna.core.estimate.input.Arguments;
import dev.lacuna.core.estimate.input.EstimateInput;
import dev.lacuna.core.estimate.model.Configuration;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class ConfiguredModelTest {
    private static final String MODEL =
            "--num-layers 24 --hidden-size 2048 --num-attention-heads 16 --seq-length 2048 --micro-batch-size 4"
                    + " --padded-vocab-size 32000 --bf16 --swiglu --tensor-model-parallel-size 2"
                    + " --pipeline-model-parallel-size 4 --world-size 8 --global-batch-size 64";

    private static Configuration configuration(String more) throws Exception {
        return EstimateInput.of(Arguments.parse(MODEL + more)).configuration(new Arguments(Map.of()));
    }

    private static double estimated(String more, int stage) throws Exception {
        return new Estimator(configuration(more))
                .estimate()
                .stages()
                .get(stage)
                .memory()
                .value();
    }

    private static PlanPoint.Planned plan(PlanningProfile profile, String method) {
        return (PlanPoint.Planned)
                PlanningMethods.of(method).orElseThrow().plan(profile, Long.MAX_VALUE / 2, PlanningEffort.QUICK);
    }

    @Test
    void needs_what_the_estimate_says_kept_and_recomputed() throws Exception {
        ConfiguredModel model = new ConfiguredModel(configuration(""), 1e14);
        String full = " --recompute-granularity full --recompute-method uniform --recompute-num-layers 1";
        for (int stage = 0; stage < 4; stage++) {
            assertThat((double) plan(model.profile(stage), "store-all").peakBytes())
                    .isCloseTo(estimated("", stage), Percentage.withPercentage(5));
            assertThat((double) plan(model.profile(stage), "full").peakBytes())
                    .isCloseTo(estimated(full, stage), Percentage.withPercentage(8));
        }
    }

    @Test
    void the_first_stage_binds_and_full_recomputation_costs_a_third() throws Exception {
        ConfiguredModel model = new ConfiguredModel(configuration(""), 1e14);
        assertThat(model.bindingStage()).isZero();
        assertThat(plan(model.profile(1), "full").overhead()).isCloseTo(4.0 / 3, within(1e-9));
    }

    @Test
    void overheads_do_not_depend_on_the_speed_that_is_stated() throws Exception {
        PlanningProfile slow = new ConfiguredModel(configuration(""), 1e12).profile(0);
        PlanningProfile fast = new ConfiguredModel(configuration(""), 1e15).profile(0);
        assertThat(plan(slow, "full").overhead()).isCloseTo(plan(fast, "full").overhead(), within(1e-9));
        assertThat(slow.plainTime()).isCloseTo(1000 * fast.plainTime(), Percentage.withPercentage(1e-6));
    }

    @Test
    void policies_of_stages_make_one_of_the_model() throws Exception {
        ConfiguredModel model = new ConfiguredModel(configuration(" --num-virtual-stages-per-pipeline-rank 2"), 1e14);
        List<LayerPolicy> stages = new ArrayList<>(Collections.nCopies(4, LayerPolicy.parse("KKKKKK")));
        stages.set(1, LayerPolicy.parse("RRKKKK"));
        assertThat(LayerChoice.joined(model, stages).letters()).isEqualTo("KKKRRKKKKKKKKKKKKKKKKKKK");
    }

    @Test
    void methods_that_swap_answer_where_a_link_is_known() throws Exception {
        PlanningProfile without = new ConfiguredModel(configuration(""), 1e14).profile(0);
        PlanningProfile with = new ConfiguredModel(configuration(""), 1e14, 24_000_000_000L).profile(0);
        for (String id : List.of("lacuna", "capuchin", "vdnn", "mindspeed", "size", "lru")) {
            PlanningMethod method = PlanningMethods.of(id).orElseThrow();
            assertThat(method.unsuited(without)).contains(PlanFailure.Reason.LAYERS_ONLY);
            assertThat(method.unsuited(with)).isEmpty();
        }
        assertThat(plan(with, "lacuna").peakBytes())
                .isEqualTo(plan(with, "store-all").peakBytes());
        assertThat(plan(with, "lacuna").time()).isCloseTo(with.plainTime(), Percentage.withPercentage(0.001));
    }

    @Test
    void a_fast_link_beats_recomputing_and_a_slow_one_does_not() throws Exception {
        PlanningMethod method = PlanningMethods.of("lacuna").orElseThrow();
        for (long link : List.of(1_000_000_000L, 64_000_000_000L)) {
            PlanningProfile.Chain profile = new ConfiguredModel(configuration(""), 1e14, link).profile(0);
            long budget = profile.fixedBytes() + (profile.plainPeakBytes() - profile.fixedBytes()) * 6 / 10;
            PlanPoint.Planned mix = (PlanPoint.Planned) method.plan(profile, budget, PlanningEffort.QUICK);
            LayerPolicy policy = LayerChoice.of(profile, mix.choice()).orElseThrow();
            assertThat(policy.actions()).hasSize(6);
            assertThat(policy.count(LayerAction.SWAP) > policy.count(LayerAction.RECOMPUTE))
                    .isEqualTo(link > 10_000_000_000L);
        }
    }

    @Test
    void a_swapped_choice_fits_where_its_step_does() throws Exception {
        ConfiguredModel model = new ConfiguredModel(configuration(""), 1e14, 24_000_000_000L);
        LayerPolicy swapped = LayerPolicy.all(LayerAction.SWAP, 24);
        long kept = model.peakBytes(LayerPolicy.all(LayerAction.KEEP, 24));
        assertThat(model.fits(swapped, kept / 2)).isTrue();
        assertThat(model.fits(LayerPolicy.all(LayerAction.KEEP, 24), kept / 2)).isFalse();
        assertThat(model.fits(swapped, model.profile(0).leastBytes() / 2)).isFalse();
    }

    @Test
    void the_slower_the_link_the_earlier_copies_come_back() throws Exception {
        LayerPolicy swapped = LayerPolicy.all(LayerAction.SWAP, 24);
        List<Integer> fast = new ConfiguredModel(configuration(""), 1e14, 1_000_000_000_000L).prefetch(swapped);
        List<Integer> slow = new ConfiguredModel(configuration(""), 1e14, 10_000_000_000L).prefetch(swapped);
        assertThat(fast).hasSize(24).containsOnly(1);
        assertThat(slow).anyMatch(ahead -> ahead > 1);
        assertThat(new ConfiguredModel(configuration(""), 1e14).prefetch(swapped))
                .containsOnly(1);
    }

    @Test
    void nothing_that_only_recomputes_is_called_best_where_swapping_is_faster() throws Exception {
        PlanningProfile.Chain profile = new ConfiguredModel(configuration(""), 1e14, 64_000_000_000L).profile(3);
        long budget = profile.fixedBytes() + (profile.plainPeakBytes() - profile.fixedBytes()) * 8 / 10;
        PlanPoint.Planned mix = (PlanPoint.Planned)
                PlanningMethods.of("lacuna").orElseThrow().plan(profile, budget, PlanningEffort.QUICK);
        for (String id : List.of("layerwise", "optimal-chain", "full")) {
            PlanPoint.Planned point = (PlanPoint.Planned)
                    PlanningMethods.of(id).orElseThrow().plan(profile, budget, PlanningEffort.QUICK);
            assertThat(point.overhead()).isGreaterThan(mix.overhead());
            assertThat(point.proven()).isFalse();
            assertThat(point.leastOverhead()).isEmpty();
        }
    }
}
