package dev.lacuna.core.estimate.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.OddJson;
import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.config.document.ConfigFormatException;
import dev.lacuna.core.estimate.model.Configuration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * One scalar of a configuration at a time becomes what it cannot be: what the estimate does not rest on changes nothing, and what
 * it rests on is refused by its key, or is another setting.
 */
class OddConfigurationsTest {
    private static final Arguments BESIDE = Arguments.parse("--micro-batch-size 2 --bf16 --seq-length 2048");

    private static final String HUGGING_FACE = """
            { "architectures": ["LlamaForCausalLM"], "model_type": "llama", "num_hidden_layers": 4, "hidden_size": 512,
              "num_attention_heads": 8, "num_key_value_heads": 4, "intermediate_size": 1376, "vocab_size": 32000,
              "max_position_embeddings": 4096, "hidden_act": "silu", "rms_norm_eps": 1e-5, "torch_dtype": "bfloat16",
              "tie_word_embeddings": false, "attention_bias": false, "mlp_bias": false,
              "transformers_version": "4.40.0", "bos_token_id": 1, "eos_token_id": 2, "initializer_range": 0.02,
              "pretraining_tp": 1, "rope_theta": 500000.0, "use_cache": true, "_name_or_path": "llama",
              "rope_scaling": { "factor": 8.0, "rope_type": "llama3" } }""";

    private static final Set<String> READ_OF_HUGGING_FACE = Set.of(
            "model_type",
            "num_hidden_layers",
            "hidden_size",
            "num_attention_heads",
            "num_key_value_heads",
            "intermediate_size",
            "vocab_size",
            "max_position_embeddings",
            "hidden_act",
            "rms_norm_eps",
            "torch_dtype",
            "tie_word_embeddings",
            "attention_bias",
            "mlp_bias");

    private static final String MINDFORMERS = """
            { "model": { "model_config": { "num_layers": 4, "hidden_size": 512, "num_heads": 8, "vocab_size": 32000,
                "seq_length": 2048, "intermediate_size": 1376, "use_flash_attention": true, "type": "LlamaConfig",
                "checkpoint_name_or_path": "llama", "rms_norm_eps": 1e-5, "theta": 10000.0 },
                "arch": { "type": "LlamaForCausalLM" } },
              "runner_config": { "batch_size": 2, "epochs": 2, "sink_mode": true },
              "parallel_config": { "data_parallel": 1, "model_parallel": 1, "pipeline_stage": 1, "micro_batch_num": 2 },
              "recompute_config": { "recompute": false },
              "seed": 0, "output_dir": "./output", "auto_trans_ckpt": false }""";

    private static final Set<String> PASSED_OVER_BY_MINDFORMERS = Set.of(
            "seed",
            "output_dir",
            "auto_trans_ckpt",
            "epochs",
            "sink_mode",
            "checkpoint_name_or_path",
            "theta",
            "rms_norm_eps",
            "extra");

    @Test
    void of_a_hugging_face_file() throws Exception {
        Configuration before = read(HUGGING_FACE);
        int unread = 0;
        List<OddJson.Changed> changes = OddJson.of(HUGGING_FACE);
        for (OddJson.Changed changed : changes) {
            boolean passedOver = !READ_OF_HUGGING_FACE.contains(changed.key());
            unread += passedOver ? 1 : 0;
            check(changed, passedOver, before);
        }
        assertThat(unread).isGreaterThan(90);
        assertThat(changes).hasSizeGreaterThan(200);
    }

    @Test
    void of_a_mindformers_file() throws Exception {
        Configuration before = read(MINDFORMERS);
        for (OddJson.Changed changed : OddJson.of(MINDFORMERS)) {
            check(changed, PASSED_OVER_BY_MINDFORMERS.contains(changed.key()), before);
        }
    }

    private static void check(OddJson.Changed changed, boolean passedOver, Configuration before)
            throws ConfigFormatException {
        try {
            Configuration now = read(changed.text());
            if (passedOver) {
                assertThat(now).as(changed.change()).isEqualTo(before);
            }
        } catch (RefusedException e) {
            assertThat(passedOver).as(changed.change() + ": " + e.getMessage()).isFalse();
            assertThat(e.getMessage()).as(changed.change()).isNotBlank();
        }
    }

    private static Configuration read(String text) throws ConfigFormatException, RefusedException {
        return EstimateInput.read(text).configuration(BESIDE);
    }
}
