package dev.lacuna.core.estimate.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.estimate.Estimator;
import dev.lacuna.core.estimate.model.Training;
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
                "30532122624 | {'model_type': 'qwen3_moe', 'hidden_size': 2048, 'intermediate_size': 6144, 'num_hidden_layers': 48, 'num_attention_heads': 32, 'num_key_value_heads': 4, 'head_dim': 128, 'vocab_size': 151936, 'tie_word_embeddings': false, 'hidden_act': 'silu', 'attention_bias': false, 'moe_intermediate_size': 768, 'num_experts': 128, 'num_experts_per_tok': 8, 'decoder_sparse_step': 1}",
                "6921720704 | {'model_type': 'falcon', 'hidden_size': 4544, 'num_hidden_layers': 32, 'num_attention_heads': 71, 'num_kv_heads': 71, 'multi_query': true, 'parallel_attn': true, 'bias': false, 'new_decoder_architecture': false, 'vocab_size': 65024, 'alibi': false}",
                "41303293952 | {'model_type': 'falcon', 'hidden_size': 8192, 'num_hidden_layers': 60, 'num_attention_heads': 128, 'num_kv_heads': 8, 'multi_query': true, 'parallel_attn': true, 'bias': false, 'new_decoder_architecture': true, 'vocab_size': 65024, 'alibi': false}",
                "15517456384 | {'model_type': 'gpt_bigcode', 'n_embd': 6144, 'n_layer': 40, 'n_head': 48, 'n_positions': 8192, 'n_inner': 24576, 'vocab_size': 49152, 'multi_query': true}",
                "125239296 | {'model_type': 'opt', 'hidden_size': 768, 'ffn_dim': 3072, 'num_hidden_layers': 12, 'num_attention_heads': 12, 'vocab_size': 50272, 'max_position_embeddings': 2048, 'word_embed_proj_dim': 768, 'do_layer_norm_before': true}",
                "331196416 | {'model_type': 'opt', 'hidden_size': 1024, 'ffn_dim': 4096, 'num_hidden_layers': 24, 'num_attention_heads': 16, 'vocab_size': 50272, 'max_position_embeddings': 2048, 'word_embed_proj_dim': 512, 'do_layer_norm_before': false}",
                "6658473984 | {'model_type': 'opt', 'hidden_size': 4096, 'ffn_dim': 16384, 'num_hidden_layers': 32, 'num_attention_heads': 32, 'vocab_size': 50272, 'max_position_embeddings': 2048}",
                "559214592 | {'model_type': 'bloom', 'n_embed': 1024, 'n_layer': 24, 'num_attention_heads': 16, 'vocab_size': 250880}",
                "7069016064 | {'model_type': 'bloom', 'hidden_size': 4096, 'n_layer': 30, 'n_head': 32, 'vocab_size': 250880}",
                "6243584000 | {'model_type': 'chatglm', 'hidden_size': 4096, 'ffn_hidden_size': 13696, 'num_layers': 28, 'num_attention_heads': 32, 'multi_query_attention': true, 'multi_query_group_num': 2, 'kv_channels': 128, 'padded_vocab_size': 65024, 'seq_length': 8192, 'add_bias_linear': false, 'add_qkv_bias': true, 'rmsnorm': true}",
                "6649286656 | {'model_type': 'mpt', 'd_model': 4096, 'n_heads': 32, 'n_layers': 32, 'vocab_size': 50432, 'max_seq_len': 2048, 'expansion_ratio': 4, 'no_bias': true}",
                "1315575808 | {'model_type': 'gpt_neo', 'hidden_size': 2048, 'num_layers': 24, 'num_heads': 16, 'vocab_size': 50257, 'max_position_embeddings': 2048, 'intermediate_size': null}",
                "20554567680 | {'model_type': 'gpt_neox', 'hidden_size': 6144, 'intermediate_size': 24576, 'num_hidden_layers': 44, 'num_attention_heads': 64, 'vocab_size': 50432, 'max_position_embeddings': 2048, 'tie_word_embeddings': false}"
            })
    void counts_the_parameters_of_released_models(long published, String config) throws Exception {
        assertThat(parameters(config)).isEqualTo(published);
        assertThat(input(config).notes(Arguments.parse("--micro-batch-size 1 --seq-length 16")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'torch_dtype', bfloat16, 2, 4, --bf16",
        "'torch_dtype', float16, 2, 2, --fp16",
        "'torch_dtype', torch.float16, 2, 2, --fp16",
        "'dtype', bfloat16, 2, 4, --bf16",
        "'torch_dtype', float32, 4, 4, fp32",
        "'torch_dtype', int3, 4, 4, not known here"
    })
    void takes_the_type_of_the_weights_and_says_so(
            String key, String type, double weights, double gradients, String reported) throws Exception {
        EstimateInput input = input(LLAMA.replace("}", ", \"" + key.replace("'", "") + "\": \"" + type + "\"}"));
        Training.StateBytes states = input.configuration(NOTHING).training().states();
        assertThat(states.weights()).isEqualTo(weights);
        assertThat(states.gradients()).isEqualTo(gradients);
        assertThat(notes(input, NOTHING)).anyMatch(note -> note.contains(type) && note.contains(reported));
        assertThat(notes(input, Arguments.parse("--micro-batch-size 1 --bf16"))).isEmpty();
        assertThat(input.configuration(Arguments.parse("--fp16")).training().states())
                .isEqualTo(Training.StateBytes.FP16_ADAM);
        assertThat(input.configuration(Arguments.parse("--bf16")).training().states())
                .isEqualTo(Training.StateBytes.BF16_ADAM);
    }

    @Test
    void counts_a_usual_length_where_the_file_gives_none() throws Exception {
        EstimateInput bloom = input(
                "{'model_type': 'bloom', 'hidden_size': 64, 'n_layer': 2, 'num_attention_heads': 4, 'vocab_size': 100}");
        assertThat(bloom.configuration(NOTHING).training().sequence()).isEqualTo(2048);
        assertThat(notes(bloom, NOTHING)).anyMatch(note -> note.contains("--seq-length 2048"));
        assertThat(notes(bloom, Arguments.parse("--micro-batch-size 1 --seq-length 16")))
                .isEmpty();
    }

    @Test
    void notes_rotary_and_refuses_learned_positions_beyond_the_file() throws Exception {
        Arguments longer = Arguments.parse("--micro-batch-size 1 --seq-length 64");
        assertThat(notes(input(LLAMA), longer)).singleElement().asString().contains("longer than the 32 tokens");
        assertThat(input(LLAMA).configuration(longer).training().sequence()).isEqualTo(64);
        String gpt =
                "{'model_type': 'gpt2', 'n_embd': 64, 'n_layer': 2, 'n_head': 4, 'n_positions': 32, 'vocab_size': 100}";
        assertThatThrownBy(() -> input(gpt).configuration(longer)).hasMessageContaining("--max-position-embeddings 32");
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
    void a_refusal_names_the_key_as_the_file_has_it(String from, String to, String reported) {
        String config = LLAMA.replace(from, to == null ? "" : to);
        assertThatThrownBy(() -> input(config).configuration(NOTHING))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining(reported);
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
