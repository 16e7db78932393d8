package dev.lacuna.core.estimate.model;

import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigPath;
import dev.lacuna.core.config.document.ConfigValue;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Keys that single families have for what others spell differently, or do not do, with the defaults of Hugging Face's classes. */
public final class FamilyShape {
    /** Positions learned beyond the longest sequence. */
    public static final String MORE_POSITIONS = "more-positions";
    /** Families whose files need not say how long sequences are: their positions are not learned. */
    public static final Set<String> LENGTHLESS = Set.of("falcon", "bloom", "mpt");

    private final ConfigDocument file;
    private final Map<String, String> arguments;

    public FamilyShape(ConfigDocument file, Map<String, String> arguments) {
        this.file = file;
        this.arguments = arguments;
    }

    public void adapt(String modelType) {
        switch (modelType) {
            case "falcon" -> falcon();
            case "gpt_bigcode" -> sharedKeys(flag("multi_query", true));
            case "opt" -> opt();
            case "bloom" -> arguments.put("norms-outside-layers", "2");
            case "gpt_neo" -> arguments.put("disable-bias-qkv", "true");
            case "gpt_neox" -> {
                if (!flag("attention_bias", true)) {
                    arguments.put("disable-bias-qkv", "true");
                }
            }
            case "mpt" -> mpt();
            case "chatglm" -> chatGlm();
            default -> {
                // Spelled as most are.
            }
        }
    }

    /** Without the new architecture, one head of keys and values serves all queries; a shared norm goes before both parallel parts. */
    private void falcon() {
        boolean renewed = flag("new_decoder_architecture", false);
        if (!renewed && flag("multi_query", true)) {
            sharedKeys(true);
        } else if (!arguments.containsKey("num-query-groups") && arguments.containsKey("num-attention-heads")) {
            arguments.put("num-query-groups", arguments.get("num-attention-heads"));
        }
        boolean two = number("num_ln_in_parallel_attn").map(count -> count == 2).orElse(renewed);
        if (flag("parallel_attn", true) && !two) {
            arguments.put("norms-per-layer", "1");
        }
        biases(flag("bias", false));
    }

    private void opt() {
        arguments.put(MORE_POSITIONS, "2");
        biases(flag("enable_bias", true));
        number("word_embed_proj_dim").ifPresent(width -> arguments.put("embedding-width", Integer.toString(width)));
        if (!flag("do_layer_norm_before", true) || flag("_remove_final_layer_norm", false)) {
            arguments.put("norms-outside-layers", "0");
        }
    }

    private void mpt() {
        if (!arguments.containsKey("ffn-hidden-size") && arguments.containsKey("hidden-size")) {
            long width = Long.parseLong(arguments.get("hidden-size"))
                    * number("expansion_ratio").orElse(4);
            arguments.put("ffn-hidden-size", Long.toString(width));
        }
        if (!flag("no_bias", true)) {
            biases(true);
            arguments.put("normalization", "LayerNorm");
        }
    }

    private void chatGlm() {
        if (!flag("multi_query_attention", false)) {
            arguments.remove("num-query-groups");
        }
        biases(flag("add_bias_linear", false));
        if (!flag("add_qkv_bias", false)) {
            arguments.remove("add-qkv-bias");
        }
        arguments.put("normalization", flag("rmsnorm", true) ? "RMSNorm" : "LayerNorm");
    }

    private void sharedKeys(boolean shared) {
        if (shared) {
            arguments.put("num-query-groups", "1");
        }
    }

    private void biases(boolean all) {
        if (all) {
            arguments.remove("disable-bias-linear");
        } else {
            arguments.put("disable-bias-linear", "true");
        }
    }

    private boolean flag(String key, boolean absent) {
        return file.at(ConfigPath.of(key))
                .filter(ConfigValue.Flag.class::isInstance)
                .map(value -> ((ConfigValue.Flag) value).value())
                .orElse(absent);
    }

    private Optional<Integer> number(String key) {
        return file.at(ConfigPath.of(key))
                .filter(value -> value instanceof ConfigValue.Whole whole
                        && whole.value().bitLength() < 31
                        && whole.clamped() > 0)
                .map(value -> ((ConfigValue.Whole) value).clamped());
    }
}
