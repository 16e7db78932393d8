package dev.lacuna.core.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.estimate.input.Arguments;
import dev.lacuna.core.estimate.input.EstimateInput;
import dev.lacuna.core.estimate.input.MegatronConfiguration;
import dev.lacuna.core.estimate.model.Configuration;
import dev.lacuna.core.estimate.model.LayerProduct;
import dev.lacuna.core.estimate.model.LayerTreatment;
import dev.lacuna.core.estimate.term.Term;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecomputeTermsTest {
    /** A GPT of equal layers: h = 8, a = 2, s = 4, b = 1, V = 1, so that a layer outweighs the loss. */
    private static final String GPT = "--num-layers 8 --hidden-size 8 --num-attention-heads 2 --seq-length 4"
            + " --padded-vocab-size 1 --micro-batch-size 1 --overhead-bytes 0";

    private static final double S_B_H = 4 * 1 * 8;

    private static Estimate estimate(String arguments) throws RefusedException {
        return new Estimator(MegatronConfiguration.of(Arguments.parse(arguments))).estimate();
    }

    private static double memory(Estimate estimate, String term) {
        return estimate.binding().memory().find(term).map(Term::value).orElse(0.0);
    }

    /** Korthikanti's 34 bytes are 16 elements of two bytes and two masks of one: 66 in 32 bits. */
    @Test
    void keeps_four_bytes_an_element_without_half_precision_and_one_a_mask() throws Exception {
        assertThat(memory(estimate(GPT), "activations")).isEqualTo(8 * 66 * S_B_H);
        assertThat(memory(estimate(GPT + " --fp16"), "activations")).isEqualTo(8 * 34 * S_B_H);
        double unfused = memory(estimate(GPT + " --attention-backend unfused"), "activations");
        assertThat(unfused - 8 * 66 * S_B_H).isEqualTo(8 * (4 + 1 + 4) * 2.0 * 4 * 4);
        assertThat(estimate(GPT)
                        .binding()
                        .memory()
                        .find("residual")
                        .orElseThrow()
                        .formula(Locale.ROOT))
                .isEqualTo("(1 + bytes)·s·b·h = (1 + 4)·4·1·8");
    }

    /** The copy of the logits is 32 bits wide already: without 16-bit ones beside it, there is nothing but it. */
    @Test
    void counts_logits_of_32_bits_once() throws Exception {
        String large = GPT.replace("--padded-vocab-size 1", "--padded-vocab-size 4096");
        assertThat(memory(estimate(large), "logits")).isEqualTo(4.0 * 4 * 4096);
        assertThat(memory(estimate(large + " --bf16"), "logits")).isEqualTo(6.0 * 4 * 4096);
    }

    @Test
    void gathers_weights_in_the_width_that_computes() throws Exception {
        String sharded = GPT + " --zero-stage 3 --world-size 4";
        assertThat(memory(estimate(sharded), "gathered"))
                .isEqualTo(2 * memory(estimate(sharded + " --bf16"), "gathered"));
        assertThat(memory(estimate(sharded + " --element-bytes 2"), "gathered"))
                .isEqualTo(memory(estimate(sharded + " --bf16"), "gathered"));
    }

    /** Eight layers in groups of so many: one input a group, and all layers of a group at once in the backward pass. */
    @ParameterizedTest
    @CsvSource({"1, 8, 1", "2, 4, 2", "3, 3, 3", "4, 2, 4", "8, 1, 8", "100, 1, 8"})
    void keeps_an_input_a_group_and_rebuilds_the_group_at_once(int number, int inputs, int rebuilt) throws Exception {
        Estimate estimate = estimate(GPT
                + " --bf16 --recompute-granularity full --recompute-method uniform --recompute-num-layers "
                + number);
        assertThat(memory(estimate, "activations")).isEqualTo(inputs * 2 * S_B_H);
        // Where the last group is the smaller one, the input of the groups behind is free when the largest is rebuilt.
        double freed = number == 3 ? 2 * S_B_H : 0;
        assertThat(memory(estimate, "rebuilt")).isEqualTo((rebuilt * 34 - 2) * S_B_H - freed);
    }

    @Test
    void rebuilds_one_layer_at_a_time_unless_told() throws Exception {
        Estimate full = estimate(GPT + " --bf16 --recompute-granularity full --recompute-method uniform");
        assertThat(memory(full, "activations")).isEqualTo(8 * 2 * S_B_H);
        assertThat(memory(full, "rebuilt")).isEqualTo(32 * S_B_H);
    }

    @Test
    void groups_end_with_their_model_chunk() throws Exception {
        Configuration chunks = MegatronConfiguration.of(Arguments.parse(GPT
                + " --bf16 --pipeline-model-parallel-size 2 --num-virtual-stages-per-pipeline-rank 2"
                + " --recompute-granularity full --recompute-method uniform --recompute-num-layers 3"));
        assertThat(chunks.treatments())
                .extracting(LayerTreatment::joined)
                .containsExactly(false, true, false, true, false, true, false, true);
        Configuration block = MegatronConfiguration.of(Arguments.parse(GPT
                + " --bf16 --pipeline-model-parallel-size 2 --num-virtual-stages-per-pipeline-rank 2"
                + " --recompute-granularity full --recompute-method block --recompute-num-layers 1"));
        assertThat(block.treatments())
                .extracting(LayerTreatment::full)
                .containsExactly(true, false, true, false, true, false, true, false);
    }

    /** The kept layers are behind the recomputed ones, and have gone backward when those are rebuilt. */
    @Test
    void what_kept_layers_gave_back_makes_room_for_rebuilt_ones() throws Exception {
        String block = GPT + " --bf16 --recompute-granularity full --recompute-method block --recompute-num-layers ";
        Estimate six = estimate(block + 6);
        assertThat(memory(six, "activations")).isEqualTo((6 * 2 + 2 * 34) * S_B_H);
        assertThat(memory(six, "rebuilt")).isZero();
        Estimate all = estimate(block + 8);
        assertThat(memory(all, "rebuilt")).isEqualTo(32 * S_B_H);
    }

    @Test
    void says_what_is_taken_off_a_rebuilt_group() throws Exception {
        Estimate estimate = estimate(
                GPT + " --bf16 --recompute-granularity full --recompute-method uniform --recompute-num-layers 3");
        Term rebuilt = estimate.binding().memory().find("rebuilt").orElseThrow();
        assertThat(rebuilt.formula(Locale.ROOT)).isEqualTo("rebuilt − given back = 3200 − 64");
        assertThat(rebuilt.parts()).extracting(Term::key).containsExactly("layer.rebuilt", "freed.behind");
    }

    @Test
    void groups_of_layers_cost_the_work_of_all_layers() throws Exception {
        String full = GPT + " --recompute-granularity full --recompute-method uniform --recompute-num-layers ";
        assertThat(estimate(full + 4).flops()).isEqualTo(estimate(full + 1).flops());
    }

    /** Korthikanti: scores and their sum with values, 4·b·s²·h a layer. */
    @Test
    void counts_the_attention_core_that_runs_again() throws Exception {
        Estimate plain = estimate(GPT + " --bf16");
        Estimate selective = estimate(GPT + " --bf16 --recompute-granularity selective");
        Term again = selective.flops().find("recomputed.parts").orElseThrow();
        assertThat(again.value()).isEqualTo(8 * 4.0 * 4 * 4 * 8);
        assertThat(again.parts().get(0).formula(Locale.ROOT)).isEqualTo("tokens·2·s·(q + v)·layers = 4·2·4·(8 + 8)·8");
        assertThat(selective.flops().value() - plain.flops().value()).isCloseTo(again.value(), within(1e-6));
        assertThat(plain.flops().find("recomputed.parts").map(Term::value).orElse(0.0))
                .isZero();
    }

    /** Both linear layers of a feed-forward part run again, 16·h² operations a token; norms are no products. */
    @Test
    void counts_the_modules_that_run_again() throws Exception {
        String modules = GPT + " --bf16 --recompute-granularity selective --recompute-modules ";
        assertThat(again(modules + "mlp")).isEqualTo(8 * 4 * 16.0 * 8 * 8);
        assertThat(again(modules + "layernorm")).isZero();
        String experts = " --num-experts 4 --moe-router-topk 2 --moe-ffn-hidden-size 6 --moe-layer-freq ([0]*2+[1]*6)";
        assertThat(again(modules + "mlp" + experts)).isEqualTo(2 * 4 * 16.0 * 8 * 8);
        assertThat(again(modules + "moe" + experts)).isEqualTo(6 * 4 * 2.0 * (2 * 8 * 2 * 6));
    }

    @Test
    void counts_what_runs_again_of_low_ranks() throws Exception {
        String latent = GPT + " --multi-latent-attention --q-lora-rank 3 --kv-lora-rank 5 --qk-head-dim 4"
                + " --qk-pos-emb-head-dim 2 --v-head-dim 7 --recompute-granularity selective --recompute-modules ";
        assertThat(again(latent + "mla_up_proj")).isEqualTo(8 * 4 * 2.0 * (3 * 2 * (4 + 2) + 5 * 2 * (4 + 7)));
    }

    @Test
    void counts_the_products_that_mindformers_selects() throws Exception {
        String file = """
                model: {model_config: {num_layers: 2, hidden_size: 8, num_heads: 2, seq_length: 4, vocab_size: 128, batch_size: 1}}
                parallel_config: {pipeline_stage: 1}
                recompute_config: {recompute: False, select_recompute: {'PATTERN': True}}
                """;
        String projection = file.replace("PATTERN", "attention\\.wq\\.matmul");
        Estimate estimate = new Estimator(EstimateInput.read(projection).configuration(Arguments.parse(""))).estimate();
        assertThat(estimate.flops().find("again.query.key.value").orElseThrow().value())
                .isEqualTo(2 * 4 * 2.0 * 3 * 8 * 8);
    }

    @Test
    void names_what_runs_again_in_both_languages() {
        for (Locale locale : List.of(Locale.ROOT, Locale.SIMPLIFIED_CHINESE)) {
            ResourceBundle words = ResourceBundle.getBundle("dev.lacuna.core.estimate.term.terms", locale);
            for (LayerProduct product : LayerProduct.values()) {
                assertThat(words.containsKey("term." + product.key())).isTrue();
            }
        }
    }

    private static double again(String arguments) throws RefusedException {
        return estimate(arguments)
                .flops()
                .find("recomputed.parts")
                .map(Term::value)
                .orElse(0.0);
    }
}
