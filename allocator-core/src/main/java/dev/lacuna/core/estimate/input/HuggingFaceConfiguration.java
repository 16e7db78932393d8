package dev.lacuna.core.estimate.input;

import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigPath;
import dev.lacuna.core.config.document.ConfigValue;
import dev.lacuna.core.estimate.model.FamilyShape;
import dev.lacuna.core.estimate.model.ModelFamily;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Arguments from a Hugging Face {@code config.json}: the shape of the model; how it is trained has to be given beside it. */
public final class HuggingFaceConfiguration {
    private static final String FORMAT = "Hugging Face config.json";
    /** Where a file of a family without such a key says nothing: what its released models were trained with. */
    private static final String USUAL_LENGTH = "2048";

    private final ConfigDocument file;
    private final Map<String, String> arguments = new LinkedHashMap<>();

    private final FileKeys keys;
    private final List<EstimateNote> notes = new ArrayList<>();

    private HuggingFaceConfiguration(ConfigDocument file) {
        this.file = file;
        this.keys = new FileKeys(file, FORMAT);
    }

    /** Whether this is such a file. */
    public static boolean recognises(ConfigDocument file) {
        return List.of("vocab_size", "model_type", "architectures", "num_hidden_layers", "n_embd", "padded_vocab_size")
                        .stream()
                        .filter(key -> file.at(ConfigPath.of(key)).isPresent())
                        .count()
                > 1;
    }

    /** What the file says. */
    static EstimateInput of(ConfigDocument file) {
        HuggingFaceConfiguration read = new HuggingFaceConfiguration(file);
        return EstimateInput.ofShape(read.read(), read.keys, read.notes);
    }

    private Arguments read() {
        copy("num-layers", "num_hidden_layers", "n_layer", "n_layers", "num_layers");
        copy("hidden-size", "hidden_size", "n_embd", "d_model", "n_embed");
        copy("num-attention-heads", "num_attention_heads", "n_head", "n_heads", "num_heads");
        copy("num-query-groups", "num_key_value_heads", "num_kv_heads", "multi_query_group_num");
        copy("kv-channels", "head_dim", "kv_channels");
        copy("ffn-hidden-size", "intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size");
        copy("padded-vocab-size", "padded_vocab_size", "vocab_size");
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
        family(gpt2);
        new FamilyShape(file, arguments).adapt(text("model_type").orElse(""));
        if (arguments.containsKey("num-query-groups")) {
            arguments.put("group-query-attention", "true");
        }
        length();
        precision();
        return new Arguments(arguments);
    }

    private void family(boolean gpt) {
        Optional<String> type = text("model_type");
        Optional<ModelFamily> known = type.flatMap(ModelFamily::of);
        String activation = text("hidden_act").orElse("silu");
        boolean rms = file.at(ConfigPath.of("rms_norm_eps")).isPresent();
        boolean gated =
                activation.equals("silu") || activation.startsWith("swi") || activation.equals("gelu_pytorch_tanh");
        ModelFamily family = known.orElseGet(() -> ModelFamily.guessed(gated, rms, gpt));
        if (known.isEmpty()) {
            notes.add(EstimateNote.of("note.family", type.orElse("-")));
        }
        set("swiglu", family.gated());
        set("multi-latent-attention", arguments.containsKey("kv-lora-rank"));
        set("untie-embeddings-and-output-weights", !flag("tie_word_embeddings", family.tied()));
        boolean everyBias = family.linearBias() || flag("attention_bias", false) && flag("mlp_bias", false);
        set("disable-bias-linear", !everyBias);
        set("add-qkv-bias", family.inputBias() || flag("attention_bias", false));
        set("qk-layernorm", family.headNorms());
        set("moe-shared-expert-gate", family.sharedGate());
        set("moe-router-enable-expert-bias", family.routerBias());
        arguments.put("position-embedding-type", family.learnedPositions() ? "learned_absolute" : "rope");
        arguments.put("normalization", family.rms() ? "RMSNorm" : "LayerNorm");
        sparseStep();
    }

    private void length() {
        String[] spellings = {
            "max_position_embeddings", "n_positions", "max_sequence_length", "max_seq_len", "seq_length", "n_ctx"
        };
        copy("seq-length", spellings);
        Optional<String> length = Optional.ofNullable(arguments.get("seq-length"));
        boolean learned = arguments.get("position-embedding-type").startsWith("learned");
        length.ifPresent(tokens -> {
            int extra = Integer.parseInt(arguments.getOrDefault(FamilyShape.MORE_POSITIONS, "0"));
            arguments.put(
                    learned ? "max-position-embeddings" : SettingNotes.MADE_FOR,
                    Integer.toString(Math.min(Integer.MAX_VALUE - extra, Integer.parseInt(tokens)) + extra));
        });
        arguments.remove(FamilyShape.MORE_POSITIONS);
        if (length.isEmpty()
                && FamilyShape.LENGTHLESS.contains(text("model_type").orElse(""))) {
            arguments.put("seq-length", USUAL_LENGTH);
            keys.assume(List.of("seq-length"), EstimateNote.of("note.sequence", USUAL_LENGTH));
        }
    }

    /** The type that the weights are kept in is taken for the one that computes. */
    private void precision() {
        String key = text("torch_dtype").isPresent() ? "torch_dtype" : "dtype";
        Optional<String> type = text(key);
        if (type.isEmpty()) {
            return;
        }
        List<String> unless = List.of("bf16", "fp16");
        switch (type.get().replaceFirst("^torch\\.", "")) {
            case "bfloat16" -> {
                arguments.put("bf16", "true");
                keys.assume(unless, EstimateNote.of("note.dtype", key, type.get(), "--bf16", "--bf16 false, --fp16"));
            }
            case "float16" -> {
                arguments.put("fp16", "true");
                keys.assume(unless, EstimateNote.of("note.dtype", key, type.get(), "--fp16", "--fp16 false, --bf16"));
            }
            case "float32" ->
                keys.assume(unless, EstimateNote.of("note.dtype", key, type.get(), "fp32", "--bf16, --fp16"));
            default -> keys.assume(unless, EstimateNote.of("note.dtype.unknown", key, type.get()));
        }
    }

    /** Qwen: of every so many layers the last has experts, but for those that are listed as dense. */
    private void sparseStep() {
        int step = whole("decoder_sparse_step").map(Integer::parseInt).orElse(1);
        List<String> dense = file.at(ConfigPath.of("mlp_only_layers"))
                .filter(ConfigValue.Items.class::isInstance)
                .map(list -> ((ConfigValue.Items) list)
                        .values().stream().map(ConfigValue::written).toList())
                .orElse(List.of());
        int layers = Integer.parseInt(arguments.getOrDefault("num-layers", "0"));
        if ((step > 1 || !dense.isEmpty()) && layers <= MegatronConfiguration.MOST_LAYERS) {
            List<String> pattern = new ArrayList<>();
            for (int i = 0; i < layers; i++) {
                boolean sparse = step > 0 && (i + 1) % step == 0 && !dense.contains(Integer.toString(i));
                pattern.add(sparse ? "1" : "0");
            }
            arguments.put("moe-layer-freq", "[" + String.join(",", pattern) + "]");
        }
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

    private void copy(String argument, String... spellings) {
        for (String key : spellings) {
            Optional<String> value = keys.whole(argument, ConfigPath.of(key));
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
