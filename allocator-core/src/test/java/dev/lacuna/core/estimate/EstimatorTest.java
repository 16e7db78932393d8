package dev.lacuna.core.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.estimate.formula.StageMemory;
import dev.lacuna.core.estimate.input.Arguments;
import dev.lacuna.core.estimate.input.EstimateInput;
import dev.lacuna.core.estimate.input.InheritedSettings;
import dev.lacuna.core.estimate.input.MegatronConfiguration;
import dev.lacuna.core.estimate.input.Presets;
import dev.lacuna.core.estimate.term.Expression;
import dev.lacuna.core.estimate.term.Term;
import dev.lacuna.core.planning.TraceEstimate;
import dev.lacuna.core.trace.model.AllocationTrace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EstimatorTest {
    /** A small GPT: l = 2, h = 8, a = 2, s = 4, b = 1, V = 128. */
    private static final String SMALL =
            "--num-layers 2 --hidden-size 8 --num-attention-heads 2 --seq-length 4 --padded-vocab-size 128 --micro-batch-size 1 --bf16 --overhead-bytes 0";

    /** Published sizes: exact counts of the released weights. */
    @ParameterizedTest
    @CsvSource({
        "llama2-7b, 6738415616",
        "llama2-13b, 13015864320",
        "llama2-70b, 68976648192",
        "llama3.2-3b, 3212749824",
        "llama3.1-8b, 8030261248",
        "llama3.1-70b, 70553706496",
        "llama3.1-405b, 405853388800"
    })
    void counts_the_parameters_of_released_models(String preset, long parameters) throws Exception {
        assertThat(estimate(Presets.of(preset).orElseThrow().with(Arguments.parse("--micro-batch-size 1")))
                        .parameters()
                        .rounded())
                .isEqualTo(parameters);
    }

    /** By hand: per layer 12h² + 13h = 872, final norm 16, embedding 1024, positions 32. */
    @Test
    void counts_a_small_gpt_as_by_hand() throws Exception {
        Estimate estimate = estimate(SMALL);
        assertThat(estimate.parameters().rounded()).isEqualTo(2 * 872 + 16 + 1024 + 32);
        assertThat(estimate.survey().find("survey.parameters").orElseThrow().value())
                .isCloseTo(2 * 872 + 1024 + 32, within(1e-6));
    }

    /** Korthikanti's 34·s·b·h per layer, and 5·a·s²·b more without tiled attention. */
    @Test
    void keeps_thirty_four_bytes_per_token_and_width() throws Exception {
        double tiled = activations(estimate(SMALL));
        assertThat(tiled).isEqualTo(2 * 34.0 * 4 * 8);
        double unfused = activations(estimate(SMALL + " --attention-backend unfused"));
        assertThat(unfused - tiled).isEqualTo(2 * 5.0 * 2 * 4 * 4);
        assertThat(activations(estimate(SMALL + " --attention-backend unfused --recompute-activations")))
                .isEqualTo(tiled);
        assertThat(activations(estimate(SMALL + " --recompute-granularity full")))
                .isEqualTo(2 * 2.0 * 4 * 8);
    }

    /** Tensor parallelism: 10 + 24/t; with sequence parallelism 34/t. */
    @Test
    void splits_what_tensor_and_sequence_parallelism_split() throws Exception {
        String four = SMALL + " --tensor-model-parallel-size 2 --world-size 2";
        assertThat(activations(estimate(four))).isEqualTo(2 * (10 + 24.0 / 2) * 4 * 8);
        assertThat(activations(estimate(four + " --sequence-parallel"))).isEqualTo(2 * 34.0 / 2 * 4 * 8);
    }

    @Test
    void shards_states_by_zero_stage() throws Exception {
        double p = 2 * 872 + 16 + 1024 + 32;
        String eight = SMALL + " --world-size 8 --zero-stage ";
        assertThat(states(estimate(eight + 0))).isEqualTo(18 * p);
        assertThat(states(estimate(eight + 1))).isEqualTo(6 * p + 12 * p / 8);
        assertThat(states(estimate(eight + 2))).isEqualTo(2 * p + 16 * p / 8);
        assertThat(states(estimate(eight + 3))).isEqualTo(18 * p / 8);
    }

    @Test
    void keeps_more_micro_batches_on_earlier_stages() throws Exception {
        String piped = SMALL.replace("--num-layers 2", "--num-layers 8")
                + " --pipeline-model-parallel-size 4 --world-size 4 --global-batch-size 16";
        assertThat(estimate(piped).stages()).extracting(StageMemory::inFlight).containsExactly(4.0, 3.0, 2.0, 1.0);
        assertThat(estimate(piped + " --num-layers-per-virtual-pipeline-stage 1")
                        .stages())
                .extracting(StageMemory::inFlight)
                .containsExactly(5.5, 4.5, 3.5, 2.5);
        assertThat(estimate(piped.replace("--global-batch-size 16", "--global-batch-size 2"))
                        .stages())
                .extracting(StageMemory::inFlight)
                .containsExactly(2.0, 2.0, 2.0, 1.0);
    }

    /** Mixtral 8x7B: 46.7 billion, of which a token uses 12.9. */
    @Test
    void counts_experts_apart() throws Exception {
        Estimate mixtral = new Estimator(
                        EstimateInput.read("""
                {"model_type": "mixtral", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32,
                 "num_key_value_heads": 8, "vocab_size": 32000, "num_local_experts": 8, "num_experts_per_tok": 2, "rms_norm_eps": 1e-5,
                 "tie_word_embeddings": false, "hidden_act": "silu", "max_position_embeddings": 4096}
                """).configuration(Arguments.parse("--micro-batch-size 1 --bf16")))
                .estimate();
        assertThat(mixtral.parameters().rounded()).isEqualTo(46_702_792_704L);
        assertThat(mixtral.activeParameters().value()).isCloseTo(12.88e9, within(0.02e9));
    }

    @Test
    void takes_what_mindformers_recomputes_and_swaps() throws Exception {
        String file = """
                model: {model_config: {num_layers: 2, hidden_size: 8, num_heads: 2, seq_length: 4, vocab_size: 128, batch_size: 1}}
                parallel_config: {pipeline_stage: 1}
                recompute_config: {recompute: [1]}
                """;
        Estimate one = new Estimator(EstimateInput.read(file).configuration(Arguments.parse(""))).estimate();
        Estimate none = new Estimator(
                        EstimateInput.read(file.replace("[1]", "False")).configuration(Arguments.parse("")))
                .estimate();
        assertThat(activations(one)).isLessThan(activations(none));
        assertThat(one.flops().find("recomputed")).isPresent();
        Estimate swapped = new Estimator(EstimateInput.read(
                                file.replace("[1]", "False")
                                        + "swap_config: {swap: True, op_swap: [{op_name: attention, backward_prefetch: 1, layers: True}]}\n")
                        .configuration(Arguments.parse("")))
                .estimate();
        assertThat(swapped.binding().hostBytes()).isPositive();
        assertThat(activations(swapped) + swapped.binding().hostBytes()).isCloseTo(activations(none), within(1e-6));
    }

    @Test
    void keeps_what_mindformers_excludes_from_a_layer_recomputed_in_full() throws Exception {
        String file = """
                model: {model_config: {num_layers: 2, hidden_size: 8, num_heads: 2, seq_length: 4, vocab_size: 128, batch_size: 1}}
                parallel_config: {pipeline_stage: 1}
                recompute_config: {recompute: True, select_recompute_exclude: {EXCLUDES}}
                """;
        Estimate whole = mindformers(file.replace("EXCLUDES", ""));
        Estimate without = mindformers(file.replace("EXCLUDES", "'feed_forward\\.mul': True"));
        Estimate nothing =
                mindformers(file.replace("recompute: True", "recompute: False").replace("EXCLUDES", ""));
        double each = nothing.binding()
                .memory()
                .find("feed.forward.activation")
                .orElseThrow()
                .value();
        assertThat(activations(without) - activations(whole)).isEqualTo(2 * each);
        assertThat(without.binding().memory().find("feed.forward.activation")).isPresent();
        assertThat(whole.binding().memory().find("activations").orElseThrow().find("feed.forward.activation"))
                .isEmpty();
    }

    private static Estimate mindformers(String file) throws Exception {
        return new Estimator(EstimateInput.read(file).configuration(Arguments.parse(""))).estimate();
    }

    @Test
    void gives_every_number_a_formula_whose_figures_are_its_parts() throws Exception {
        Estimate estimate = estimate(SMALL + " --num-experts 4 --zero-stage 3 --world-size 4 --swap-attention"
                + " --recompute-granularity selective");
        List<Term> all = new ArrayList<>(estimate.ofModel());
        estimate.stages().forEach(stage -> {
            all.add(stage.memory());
            all.addAll(stage.beside());
        });
        for (int i = 0; i < all.size(); i++) {
            all.addAll(all.get(i).parts());
        }
        assertThat(all).extracting(Term::key).contains("host", "in.flight", "layer.one", "gathered");
        for (Term term : all) {
            String formula = term.formula(Locale.ROOT);
            assertThat(formula).as(term.key()).isNotBlank();
            if (term.formula() instanceof Expression.Sum) {
                String[] sides = formula.split(" = ", 2);
                assertThat(sides[0].split(" \\+ "))
                        .containsExactlyElementsOf(term.parts().stream()
                                .map(part -> part.name(Locale.ROOT))
                                .toList());
                double sum = Arrays.stream(sides[1].split(" \\+ "))
                        .mapToDouble(Double::parseDouble)
                        .sum();
                assertThat(sum).as(term.key()).isCloseTo(term.value(), within(1e-3));
            }
        }
    }

    @Test
    void reads_scripts_with_variables_and_line_ends() {
        Arguments arguments = Arguments.parse("""
                #!/bin/bash
                TP=8   # tensor
                SIZE="--hidden-size 64"
                torchrun --nproc_per_node 8 pretrain.py \\
                    --tensor-model-parallel-size ${TP} \\
                    --sequence-parallel --lr 1e-4 # --num-layers 3
                """);
        assertThat(arguments.text("tensor-model-parallel-size")).contains("8");
        assertThat(arguments.on("sequence-parallel")).isTrue();
        assertThat(arguments.text("nproc-per-node")).contains("8");
        assertThat(arguments.text("num-layers")).isEmpty();
    }

    @Test
    void deepspeeds_launcher_says_how_many_devices_there_are() {
        Arguments counted = Arguments.parse("deepspeed --num_gpus 8 --num_nodes=2 pretrain_gpt.py --num-layers 24");
        Arguments all = Arguments.parse("deepspeed --num_gpus -1 pretrain_gpt.py --num-layers 24");
        assertThat(counted.text("nproc-per-node")).contains("8");
        assertThat(counted.text("nnodes")).contains("2");
        assertThat(all.text("nproc-per-node")).isEmpty();
    }

    @Test
    void what_is_missing_says_how_to_give_it() {
        String model = "--num-layers 2 --hidden-size 64 --num-attention-heads 2 --seq-length 8 --micro-batch-size 1";
        assertThatThrownBy(() -> MegatronConfiguration.of(Arguments.parse(model)))
                .hasMessageContaining("-- --vocab-size");
        assertThatThrownBy(() -> MegatronConfiguration.of(Arguments.parse("accelerate launch run_clm.py")))
                .hasMessageContaining("config.json");
    }

    @ParameterizedTest
    @CsvSource({
        "--hidden-size 8, num-layers",
        "--num-layers x, num-layers",
        "--num-layers 999999999 --hidden-size 8, num-layers",
    })
    void refuses_what_says_too_little(String arguments, String named) {
        assertThatThrownBy(() -> estimate(arguments))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining(named);
    }

    @ParameterizedTest
    @CsvSource({
        "--tensor-model-parallel-size 65536 --pipeline-model-parallel-size 65536",
        "--tensor-model-parallel-size 30000 --context-parallel-size 30000 --data-parallel-size 30000",
        "--world-size 2147483647",
        "--num-layers 3 --pipeline-model-parallel-size 30000 --num-virtual-stages-per-pipeline-rank 30000",
        "--micro-batch-size 2147483648",
        "--num-experts 4 --moe-layer-freq ([0]*99999999999)",
        "--num-experts 4 --moe-layer-freq os.system",
        "--seq-length 0"
    })
    void refuses_what_no_machine_can_be(String more) {
        assertThatThrownBy(() -> estimate(SMALL + " " + more)).isInstanceOf(RefusedException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "--zero-stage 9, zero-stage",
        "--world-size 12 --tensor-model-parallel-size 2 --context-parallel-size 4, world-size",
        "--world-size 1 --tensor-model-parallel-size 2, world-size",
        "--nproc-per-node 3 --tensor-model-parallel-size 2, world-size",
        "--tensor-model-parallel-size 4, num-attention-heads",
        "--num-attention-heads 3, hidden-size",
        "--group-query-attention --num-query-groups 3, num-query-groups",
        "--num-experts 8 --expert-model-parallel-size 3, expert-model-parallel-size",
        "--num-layers 3 --pipeline-model-parallel-size 2, pipeline-model-parallel-size"
    })
    void refuses_layouts_that_megatron_refuses(String more, String named) {
        assertThatThrownBy(() -> estimate(SMALL + " " + more))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("--" + named);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--num-attention-heads 3 --kv-channels 4",
                "--num-layers 3 --pipeline-model-parallel-size 2 --decoder-first-pipeline-num-layers 1",
                "--tensor-model-parallel-size 2"
            })
    void takes_layouts_that_megatron_takes(String more) throws Exception {
        assertThat(estimate(SMALL + " " + more).parameters().rounded()).isPositive();
    }

    @Test
    void forgets_the_devices_of_a_layout_that_is_tried_no_more() throws Exception {
        Arguments input = Arguments.parse(SMALL + " --tensor-model-parallel-size 2 --world-size 2");
        Arguments tried = Arguments.parse("--tensor-model-parallel-size 1 --context-parallel-size 4");
        assertThat(InheritedSettings.left(input, tried).text("world-size")).isEmpty();
        assertThat(InheritedSettings.left(input, Arguments.parse("--tensor-model-parallel-size 1"))
                        .text("world-size"))
                .contains("2");
        Arguments reported = tried.with(Arguments.parse("--world-size 2"));
        assertThat(InheritedSettings.left(input, reported).text("world-size")).contains("2");
    }

    @Test
    void bounds_scripts_whose_variables_multiply() {
        String bomb = "A=$A$A$A$A$A$A$A$A$A$A\n" + "$A ".repeat(50_000) + "--num-layers 3\n";
        assertThat(Arguments.parse(bomb).text("num-layers")).contains("3");
    }

    @Test
    void takes_memory_when_the_rule_says_so() {
        AllocationTrace.Builder trace = AllocationTrace.builder();
        trace.phase(Phase.STEP, true);
        int a = trace.alloc(100, 0);
        trace.free(a);
        int b = trace.alloc(60, 0);
        trace.free(b);
        trace.phase(Phase.STEP, false);
        TraceEstimate estimate = TraceEstimate.of(trace.build(), 5, 7);
        assertThat(estimate.peaks().get(TraceEstimate.Rule.ON_DEMAND_ON_DEATH).rounded())
                .isEqualTo(112);
        assertThat(estimate.peaks().get(TraceEstimate.Rule.ON_DEMAND_ON_EXIT).rounded())
                .isEqualTo(172);
        assertThat(estimate.peaks().get(TraceEstimate.Rule.ON_START_ON_DEATH).rounded())
                .isEqualTo(172);
        assertThat(estimate.peaks().get(TraceEstimate.Rule.ON_START_ON_EXIT).rounded())
                .isEqualTo(172);
    }

    @Test
    void names_every_term_in_both_languages() throws Exception {
        String name = "dev.lacuna.core.estimate.term.terms";
        ResourceBundle english = ResourceBundle.getBundle(name, Locale.ROOT);
        ResourceBundle chinese = ResourceBundle.getBundle(name, Locale.SIMPLIFIED_CHINESE);
        assertThat(chinese.keySet()).isEqualTo(english.keySet());
        for (String arguments : new String[] {
            SMALL, SMALL + " --num-experts 4 --zero-stage 3 --world-size 4 --attention-backend unfused"
        }) {
            Estimate estimate = estimate(arguments);
            assertThat(EstimateJson.of(estimate, java.util.OptionalLong.of(1), Locale.SIMPLIFIED_CHINESE)
                            .toString())
                    .contains("binding_stage");
        }
    }

    private static double activations(Estimate estimate) {
        return estimate.binding().memory().find("activations").orElseThrow().value();
    }

    private static double states(Estimate estimate) {
        return estimate.binding().memory().find("states").orElseThrow().value();
    }

    private static Estimate estimate(String arguments) throws RefusedException {
        return estimate(Arguments.parse(arguments));
    }

    private static Estimate estimate(Arguments arguments) throws RefusedException {
        return new Estimator(MegatronConfiguration.of(arguments)).estimate();
    }

    @Test
    void gives_stages_the_layers_that_an_offset_of_mindformers_gives_them() throws Exception {
        EstimateInput input = EstimateInput.read("""
                model_config:
                  {num_layers: 10, hidden_size: 64, num_heads: 4, vocab_size: 128, seq_length: 32, batch_size: 1, offset: [2, -2]}
                parallel_config: {pipeline_stage: 2}
                """);
        assertThat(new Estimator(input.configuration(new Arguments(java.util.Map.of())))
                        .estimate().stages().stream()
                                .map(stage -> stage.layers().size()))
                .containsExactly(7, 3);
    }
}
