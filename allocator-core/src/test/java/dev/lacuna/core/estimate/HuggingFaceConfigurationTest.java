package dev.lacuna.core.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HuggingFaceConfigurationTest {
    private static final Arguments NOTHING = new Arguments(Map.of());
    private static final String LLAMA =
            "{'model_type': 'llama', 'hidden_size': 64, 'intermediate_size': 128, 'num_hidden_layers': 2,\n"
                    + " 'num_attention_heads': 4, 'vocab_size': 100, 'max_position_embeddings': 32}";

    private static EstimateInput input(String json) throws Exception {
        return EstimateInput.read(json.replace('\'', '"'));
    }

    private static long parameters(String json) throws Exception {
        return new Estimator(input(json).configuration(Arguments.parse("--seq-length 16")))
                .estimate()
                .parameters()
                .rounded();
    }

    /**
     * Sizes of released weights, all but Qwen2-57B-A14B's: that one is the count of what the architecture defines, by hand from its classes.
     * What the files leave to their family's classes (norms, biases, gates, tied embeddings) is left out here too.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "8030261248 | {'model_type': 'llama', 'hidden_size': 4096, 'intermediate_size': 14336, 'num_hidden_layers': 32, 'num_attention_heads': 32, 'num_key_value_heads': 8, 'vocab_size': 128256, 'tie_word_embeddings': false, 'hidden_act': 'silu', 'attention_bias': false}",
                "1235814400 | {'model_type': 'llama', 'hidden_size': 2048, 'intermediate_size': 8192, 'num_hidden_layers': 16, 'num_attention_heads': 32, 'num_key_value_heads': 8, 'vocab_size': 128256, 'tie_word_embeddings': true, 'hidden_act': 'silu', 'attention_bias': false, 'head_dim': 64}",
                "124439808 | {'model_type': 'gpt2', 'n_embd': 768, 'n_layer': 12, 'n_head': 12, 'n_positions': 1024, 'vocab_size': 50257, 'activation_function': 'gelu_new'}",
                "8537680896 | {'model_type': 'gemma', 'hidden_size': 3072, 'intermediate_size': 24576, 'num_hidden_layers': 28, 'num_attention_heads': 16, 'num_key_value_heads': 16, 'head_dim': 256, 'vocab_size': 256000, 'hidden_act': 'gelu'}",
                "46702792704 | {'model_type': 'mixtral', 'hidden_size': 4096, 'intermediate_size': 14336, 'num_hidden_layers': 32, 'num_attention_heads': 32, 'num_key_value_heads': 8, 'vocab_size': 32000, 'num_local_experts': 8, 'num_experts_per_tok': 2, 'tie_word_embeddings': false, 'hidden_act': 'silu'}",
                "494032768 | {'model_type': 'qwen2', 'hidden_size': 896, 'intermediate_size': 4864, 'num_hidden_layers': 24, 'num_attention_heads': 14, 'num_key_value_heads': 2, 'vocab_size': 151936, 'tie_word_embeddings': true, 'hidden_act': 'silu'}",
                "7615616512 | {'model_type': 'qwen2', 'hidden_size': 3584, 'intermediate_size': 18944, 'num_hidden_layers': 28, 'num_attention_heads': 28, 'num_key_value_heads': 4, 'vocab_size': 152064, 'tie_word_embeddings': false, 'hidden_act': 'silu'}",
                "14315784192 | {'model_type': 'qwen2_moe', 'hidden_size': 2048, 'intermediate_size': 5632, 'moe_intermediate_size': 1408, 'shared_expert_intermediate_size': 5632, 'num_hidden_layers': 24, 'num_attention_heads': 16, 'num_key_value_heads': 16, 'vocab_size': 151936, 'num_experts': 60, 'num_experts_per_tok': 4, 'decoder_sparse_step': 1, 'tie_word_embeddings': false, 'hidden_act': 'silu'}",
                "57408658944 | {'model_type': 'qwen2_moe', 'hidden_size': 3584, 'intermediate_size': 18944, 'moe_intermediate_size': 2560, 'shared_expert_intermediate_size': 20480, 'num_hidden_layers': 28, 'num_attention_heads': 28, 'num_key_value_heads': 4, 'vocab_size': 151936, 'num_experts': 64, 'num_experts_per_tok': 8, 'decoder_sparse_step': 1, 'tie_word_embeddings': false, 'hidden_act': 'silu'}",
                "15706484224 | {'model_type': 'deepseek_v2', 'hidden_size': 2048, 'intermediate_size': 10944, 'moe_intermediate_size': 1408, 'num_hidden_layers': 27, 'num_attention_heads': 16, 'num_key_value_heads': 16, 'n_routed_experts': 64, 'n_shared_experts': 2, 'num_experts_per_tok': 6, 'first_k_dense_replace': 1, 'q_lora_rank': null, 'kv_lora_rank': 512, 'qk_nope_head_dim': 128, 'qk_rope_head_dim': 64, 'v_head_dim': 128, 'vocab_size': 102400, 'tie_word_embeddings': false, 'hidden_act': 'silu'}",
                "671026419200 | {'model_type': 'deepseek_v3', 'hidden_size': 7168, 'intermediate_size': 18432, 'moe_intermediate_size': 2048, 'num_hidden_layers': 61, 'num_attention_heads': 128, 'num_key_value_heads': 128, 'n_routed_experts': 256, 'n_shared_experts': 1, 'num_experts_per_tok': 8, 'first_k_dense_replace': 3, 'q_lora_rank': 1536, 'kv_lora_rank': 512, 'qk_nope_head_dim': 128, 'qk_rope_head_dim': 64, 'v_head_dim': 128, 'vocab_size': 129280, 'tie_word_embeddings': false, 'hidden_act': 'silu', 'num_nextn_predict_layers': 1}",
                "8190735360 | {'model_type': 'qwen3', 'hidden_size': 4096, 'intermediate_size': 12288, 'num_hidden_layers': 36, 'num_attention_heads': 32, 'num_key_value_heads': 8, 'head_dim': 128, 'vocab_size': 151936, 'tie_word_embeddings': false, 'hidden_act': 'silu', 'attention_bias': false}",
                "30532122624 | {'model_type': 'qwen3_moe', 'hidden_size': 2048, 'intermediate_size': 6144, 'num_hidden_layers': 48, 'num_attention_heads': 32, 'num_key_value_heads': 4, 'head_dim': 128, 'vocab_size': 151936, 'tie_word_embeddings': false, 'hidden_act': 'silu', 'attention_bias': false, 'moe_intermediate_size': 768, 'num_experts': 128, 'num_experts_per_tok': 8, 'decoder_sparse_step': 1}"
            })
    void counts_the_parameters_of_released_models(long published, String config) throws Exception {
        assertThat(parameters(config)).isEqualTo(published);
        assertThat(input(config).notes(Arguments.parse("--micro-batch-size 1"))).isEmpty();
    }

    @Test
    void says_which_family_it_does_not_know() throws Exception {
        assertThat(notes(input(LLAMA.replace("llama", "strange")), NOTHING))
                .anyMatch(note -> note.contains("model_type strange"));
        assertThat(parameters(LLAMA)
                        - parameters(LLAMA.replace("llama", "strange").replace("}", ", 'rms_norm_eps': 1e-5}")))
                .as("Hugging Face's base class ties the embeddings")
                .isEqualTo(64 * 100);
    }

    @Test
    void counts_one_sample_where_no_batch_is_given_and_says_so() throws Exception {
        assertThat(input(LLAMA).configuration(NOTHING).training().microBatch()).isOne();
        assertThat(notes(input(LLAMA), NOTHING)).singleElement().asString().contains("--micro-batch-size 1");
        assertThat(notes(input(LLAMA), Arguments.parse("--micro-batch-size 2"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'hidden_size': 64, | | hidden_size is missing in this Hugging Face config.json",
                "'num_hidden_layers': 2 | 'num_hidden_layers': NaN | num_hidden_layers (line 1)",
                "'num_hidden_layers': 2 | 'num_hidden_layers': 1e308 | num_hidden_layers (line 1)",
                "'num_hidden_layers': 2 | 'num_hidden_layers': -4 | num_hidden_layers (line 1)",
                "'num_attention_heads': 4 | 'num_attention_heads': 'x' | num_attention_heads (line 2)",
                "'hidden_size': 64 | 'hidden_size': 'x' | hidden_size (line 1) of this Hugging Face config.json"
            })
    void a_refusal_names_the_key_as_the_file_has_it(String from, String to, String told) {
        String config = LLAMA.replace(from, to == null ? "" : to);
        assertThatThrownBy(() -> input(config).configuration(NOTHING))
                .isInstanceOf(EstimateException.class)
                .hasMessageContaining(told);
    }

    @Test
    void what_is_given_beside_the_file_stands_for_what_it_lacks() throws Exception {
        String lacking = LLAMA.replace("'num_hidden_layers': 2", "'num_hidden_layers': 'x'");
        assertThat(input(lacking)
                        .configuration(Arguments.parse("--num-layers 3"))
                        .model()
                        .layers())
                .isEqualTo(3);
    }

    @Test
    void names_keys_that_are_given_twice_with_their_lines() throws Exception {
        assertThat(notes(input(LLAMA.replace("}", ",\n'hidden_size': 32}")), NOTHING))
                .anyMatch(note -> note.contains("hidden_size is given more than once, on lines 1, 3"));
    }

    @Test
    void names_arguments_that_change_nothing_and_what_was_meant() throws Exception {
        assertThat(notes(input(LLAMA), Arguments.parse("--micro-batch-size 1 --num-layres 9 --bogus 3 --lr 1e-4")))
                .containsExactly(
                        "--num-layres is not known here and changes nothing; --num-layers was meant?",
                        "not known here, these change nothing: --bogus --lr");
    }

    private static List<String> notes(EstimateInput input, Arguments overriding) {
        return input.notes(overriding).stream()
                .map(note -> note.text(Locale.ROOT))
                .toList();
    }
}
