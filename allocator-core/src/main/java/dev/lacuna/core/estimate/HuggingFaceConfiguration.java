package dev.lacuna.core.estimate;

import dev.lacuna.core.config.ConfigDocument;
import dev.lacuna.core.config.ConfigPath;
import dev.lacuna.core.config.ConfigValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Arguments from a Hugging Face {@code config.json}: the shape of the model; how it is trained has to be given beside it. */
public final class HuggingFaceConfiguration {
    private final ConfigDocument file;
    private final Map<String, String> arguments = new LinkedHashMap<>();

    private HuggingFaceConfiguration(ConfigDocument file) {
        this.file = file;
    }

    /** Whether this is such a file. */
    public static boolean recognises(ConfigDocument file) {
        return file.at(ConfigPath.of("hidden_size")).isPresent()
                        && file.at(ConfigPath.of("vocab_size")).isPresent()
                || file.at(ConfigPath.of("n_embd")).isPresent();
    }

    /** The arguments. */
    public static Arguments of(ConfigDocument file) {
        return new HuggingFaceConfiguration(file).read();
    }

    private Arguments read() {
        copy("num-layers", "num_hidden_layers", "n_layer");
        copy("hidden-size", "hidden_size", "n_embd");
        copy("num-attention-heads", "num_attention_heads", "n_head");
        copy("num-query-groups", "num_key_value_heads");
        copy("kv-channels", "head_dim");
        copy("ffn-hidden-size", "intermediate_size", "n_inner");
        copy("padded-vocab-size", "vocab_size");
        copy("num-experts", "num_local_experts", "n_routed_experts", "num_experts");
        copy("moe-router-topk", "num_experts_per_tok");
        copy("moe-ffn-hidden-size", "moe_intermediate_size");
        copy("moe-shared-expert-intermediate-size", "shared_expert_intermediate_size");
        copy("kv-lora-rank", "kv_lora_rank");
        copy("q-lora-rank", "q_lora_rank");
        copy("qk-head-dim", "qk_nope_head_dim");
        copy("qk-pos-emb-head-dim", "qk_rope_head_dim");
        copy("v-head-dim", "v_head_dim");
        sharedExperts();
        firstDense();
        boolean gpt2 = file.at(ConfigPath.of("n_embd")).isPresent();
        String activation = text("hidden_act").orElse(gpt2 ? "gelu" : "silu");
        set(
                "swiglu",
                activation.equals("silu") || activation.startsWith("swi") || activation.equals("gelu_pytorch_tanh"));
        set("multi-latent-attention", arguments.containsKey("kv-lora-rank"));
        set("untie-embeddings-and-output-weights", !flag("tie_word_embeddings", gpt2));
        set("disable-bias-linear", !gpt2 && !flag("attention_bias", false) && !flag("mlp_bias", false));
        boolean rotary = file.at(ConfigPath.of("rope_theta")).isPresent() || !gpt2;
        arguments.put("position-embedding-type", rotary ? "rope" : "learned_absolute");
        arguments.put("normalization", file.at(ConfigPath.of("rms_norm_eps")).isPresent() ? "RMSNorm" : "LayerNorm");
        whole("max_position_embeddings").ifPresent(most -> arguments.put("seq-length", most));
        whole("n_positions").ifPresent(most -> arguments.put("seq-length", most));
        return new Arguments(arguments);
    }

    private void sharedExperts() {
        Optional<String> count = whole("n_shared_experts");
        Optional<String> width = whole("moe_intermediate_size");
        if (count.isPresent() && width.isPresent()) {
            long both = Long.parseLong(count.get()) * Long.parseLong(width.get());
            arguments.put("moe-shared-expert-intermediate-size", Long.toString(Math.min(both, Integer.MAX_VALUE)));
        }
    }

    /** DeepSeek's first layers are dense. */
    private void firstDense() {
        Optional<String> dense = whole("first_k_dense_replace");
        if (dense.isPresent() && arguments.containsKey("num-layers")) {
            long rest = Long.parseLong(arguments.get("num-layers")) - Long.parseLong(dense.get());
            if (rest > 0) {
                arguments.put("moe-layer-freq", "([0]*" + dense.get() + "+[1]*" + rest + ")");
            }
        }
    }

    private void copy(String argument, String... keys) {
        for (String key : keys) {
            Optional<String> value = whole(key);
            if (value.isPresent()) {
                arguments.put(argument, value.get());
                return;
            }
        }
    }

    private void set(String argument, boolean on) {
        if (on) {
            arguments.put(argument, "true");
        }
    }

    private boolean flag(String key, boolean absent) {
        return file.at(ConfigPath.of(key))
                .map(value -> value instanceof ConfigValue.Flag flag && flag.value())
                .orElse(absent);
    }

    private Optional<String> text(String key) {
        return file.at(ConfigPath.of(key))
                .filter(ConfigValue.Text.class::isInstance)
                .map(value -> ((ConfigValue.Text) value).value());
    }

    private Optional<String> whole(String key) {
        return file.at(ConfigPath.of(key))
                .filter(value -> value instanceof ConfigValue.Whole whole
                        && whole.value().bitLength() < 31)
                .map(value -> Integer.toString(((ConfigValue.Whole) value).clamped()));
    }
}
