package dev.lacuna.core.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.config.document.ConfigReader;
import dev.lacuna.core.estimate.Estimator;
import dev.lacuna.core.estimate.input.Arguments;
import dev.lacuna.core.estimate.input.EstimateInput;
import dev.lacuna.core.estimate.model.Configuration;
import dev.lacuna.core.planning.method.ConfiguredModel;
import dev.lacuna.core.planning.method.LayerChoice;
import dev.lacuna.core.planning.method.PlanPoint;
import dev.lacuna.core.planning.method.PlannedChoice;
import dev.lacuna.core.planning.method.PlanningEffort;
import dev.lacuna.core.planning.method.PlanningMethods;
import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.core.planning.output.MegatronArguments;
import dev.lacuna.core.planning.output.MindformersRecompute;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written for a budget fits into it by the estimate. */
class WrittenPlansFitTest {
    private static final String LLAMA = "--num-layers 32 --hidden-size 4096 --ffn-hidden-size 11008"
            + " --num-attention-heads 32 --seq-length 4096 --micro-batch-size 1 --padded-vocab-size 32000 --swiglu"
            + " --normalization RMSNorm --disable-bias-linear --untie-embeddings-and-output-weights"
            + " --position-embedding-type rope --use-distributed-optimizer --bf16 ";

    private static Configuration configuration(String arguments) throws Exception {
        return EstimateInput.of(Arguments.parse(arguments)).configuration(new Arguments(Map.of()));
    }

    private static long estimated(Configuration configuration) throws Exception {
        return (long) new Estimator(configuration).estimate().binding().memory().value();
    }

    /** The choice of every stage under this budget; empty where one does not fit. */
    private static Optional<LayerPolicy> policy(ConfiguredModel model, String method, long budget) {
        List<LayerPolicy> stages = new ArrayList<>();
        for (int stage = 0; stage < model.stages(); stage++) {
            PlanningProfile profile = model.profile(stage);
            PlanPoint point = PlanningMethods.of(method).orElseThrow().plan(profile, budget, PlanningEffort.QUICK);
            if (!(point instanceof PlanPoint.Planned planned)) {
                return Optional.empty();
            }
            stages.add(LayerChoice.of(profile, planned.choice()).orElseThrow());
        }
        return Optional.of(LayerChoice.joined(model, stages));
    }

    private static List<Long> budgets(Configuration configuration) throws Exception {
        long most = estimated(configuration) * 103 / 100;
        List<Long> budgets = new ArrayList<>();
        for (int percent = 100; percent >= 30; percent -= 5) {
            budgets.add(most / 100 * percent);
        }
        return budgets;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--tensor-model-parallel-size 4 --pipeline-model-parallel-size 2 --world-size 32 --sequence-parallel"
                        + " --global-batch-size 128",
                "--tensor-model-parallel-size 8 --world-size 8",
                "--tensor-model-parallel-size 2 --pipeline-model-parallel-size 4 --world-size 16 --global-batch-size 64",
                "--tensor-model-parallel-size 2 --pipeline-model-parallel-size 4 --world-size 16 --global-batch-size 64"
                        + " --num-layers-per-virtual-pipeline-stage 4",
                "--tensor-model-parallel-size 4 --world-size 8 --micro-batch-size 4 --attention-backend unfused",
                "--world-size 64 --zero-stage 3 --micro-batch-size 2",
                "--tensor-model-parallel-size 2 --world-size 8 --num-experts 8 --moe-ffn-hidden-size 2048"
                        + " --moe-layer-freq ([0]*16+[1]*16) --expert-model-parallel-size 4",
                "--tensor-model-parallel-size 2 --pipeline-model-parallel-size 2 --world-size 8 --num-experts 8"
                        + " --moe-ffn-hidden-size 2048 --moe-layer-freq ([0]*20+[1]*12) --global-batch-size 64",
            })
    void arguments_of_megatron(String layout) throws Exception {
        String arguments = LLAMA + layout;
        Configuration configuration = configuration(arguments);
        ConfiguredModel model = new ConfiguredModel(configuration, 1e14);
        int chunks = model.stages() * model.chunks();
        int written = 0;
        for (long budget : budgets(configuration)) {
            Optional<LayerPolicy> policy = policy(model, "layerwise", budget);
            if (policy.isPresent()) {
                MegatronArguments planned =
                        MegatronArguments.of(policy.get(), chunks, choice -> model.peakBytes(choice) <= budget);
                assertThat(estimated(configuration(arguments + " " + planned.text())))
                        .as("%s under %d", planned.text(), budget)
                        .isLessThanOrEqualTo(budget);
                written++;
            }
        }
        assertThat(written).isGreaterThan(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "model_parallel: 2, pipeline_stage: 2, micro_batch_num: 4",
                "model_parallel: 4, pipeline_stage: 1, micro_batch_num: 1",
                "model_parallel: 2, pipeline_stage: 2, micro_batch_num: 8, pp_interleave_num: 2",
                "model_parallel: 1, pipeline_stage: 4, micro_batch_num: 16, use_seq_parallel: True",
            })
    void files_of_mindformers(String layout) throws Exception {
        String file = """
                model: {model_config: {num_layers: 16, hidden_size: 4096, num_heads: 32, seq_length: 4096,
                  vocab_size: 32000, intermediate_size: 11008, batch_size: 1, offset: 0}}
                parallel_config: {data_parallel: 1, %s}
                recompute_config: {recompute: False}
                """.formatted(layout);
        Configuration configuration = EstimateInput.read(file).configuration(new Arguments(Map.of()));
        ConfiguredModel model = new ConfiguredModel(configuration, 1e14);
        int written = 0;
        for (long budget : budgets(configuration)) {
            Optional<LayerPolicy> policy = policy(model, "layerwise", budget);
            if (policy.isPresent()) {
                MindformersRecompute.Written planned = MindformersRecompute.write(
                        ConfigReader.read(file), policy.get(), choice -> model.peakBytes(choice) <= budget);
                Configuration read = EstimateInput.read(planned.file().text()).configuration(new Arguments(Map.of()));
                assertThat(estimated(read)).as("under %d", budget).isLessThanOrEqualTo(budget);
                written++;
            }
        }
        assertThat(written).isGreaterThan(2);
    }

    /** Without interleaved stages, whose other chunks are at work meanwhile, the plan's own peak covers the estimate's. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--tensor-model-parallel-size 8 --world-size 8",
                "--tensor-model-parallel-size 4 --world-size 4 --attention-backend unfused --micro-batch-size 2",
                "--tensor-model-parallel-size 2 --pipeline-model-parallel-size 4 --world-size 16 --global-batch-size 64",
                "--tensor-model-parallel-size 2 --world-size 8 --num-experts 8 --moe-ffn-hidden-size 2048"
                        + " --moe-layer-freq ([0]*16+[1]*16) --expert-model-parallel-size 4",
            })
    void plans_need_what_the_estimate_says(String layout) throws Exception {
        ConfiguredModel model = new ConfiguredModel(configuration(LLAMA + layout), 1e14);
        for (long budget : budgets(configuration(LLAMA + layout))) {
            Optional<LayerPolicy> policy = policy(model, "layerwise", budget);
            policy.ifPresent(choice ->
                    assertThat(model.peakBytes(choice)).as(choice.letters()).isLessThanOrEqualTo(budget));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"chen-sqrt", "chen-greedy", "revolve", "optimal-chain"})
    void stretches_of_one_length(String method) throws Exception {
        String arguments = LLAMA + "--num-layers 24 --tensor-model-parallel-size 8 --world-size 8";
        ConfiguredModel model = new ConfiguredModel(configuration(arguments), 1e14);
        int asUnits = 0;
        for (long budget : budgets(configuration(arguments))) {
            PlanPoint point =
                    PlanningMethods.of(method).orElseThrow().plan(model.profile(0), budget, PlanningEffort.QUICK);
            Optional<MegatronArguments> written =
                    point instanceof PlanPoint.Planned planned && planned.choice() instanceof PlannedChoice.Chain chain
                            ? chain.tree().flatMap(tree -> MegatronArguments.of(tree, model.layers()))
                            : Optional.empty();
            if (written.isPresent()) {
                assertThat(estimated(
                                configuration(arguments + " " + written.get().text())))
                        .as("%s under %d", written.get().text(), budget)
                        .isLessThanOrEqualTo(budget);
                asUnits++;
            }
        }
        assertThat(asUnits).isGreaterThan(method.equals("chen-sqrt") ? 3 : -1);
    }
}
