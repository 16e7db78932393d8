package dev.lacuna.core.estimate.input;

import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigPath;
import dev.lacuna.core.config.document.ConfigValue;
import dev.lacuna.core.config.mindformers.Mindformers;
import dev.lacuna.core.config.mindformers.MindformersResult;
import dev.lacuna.core.config.mindformers.layer.LayerDistribution;
import dev.lacuna.core.config.mindformers.layer.LayerState;
import dev.lacuna.core.config.mindformers.layer.OperatorState;
import dev.lacuna.core.estimate.model.ActivationPart;
import dev.lacuna.core.estimate.model.LayerTreatment;
import dev.lacuna.core.estimate.model.Layout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A configuration from a MindFormers file, with what each layer really recomputes and swaps. */
public final class MindformersConfiguration {
    private static final String FORMAT = "MindFormers";
    private static final Map<String, ActivationPart> PARTS = Map.of(
            "attention_norm.norm", ActivationPart.ATTENTION_INPUT,
            "attention.wq.matmul", ActivationPart.QUERY_KEY_VALUE,
            "attention.softmax", ActivationPart.ATTENTION_CORE,
            "attention.flash_attention", ActivationPart.ATTENTION_OUTPUT,
            "add", ActivationPart.RESIDUAL,
            "ffn_norm.norm", ActivationPart.FEED_FORWARD_INPUT,
            "feed_forward.w1.matmul", ActivationPart.FEED_FORWARD_UP,
            "feed_forward.mul", ActivationPart.FEED_FORWARD_ACTIVATION);

    private static final ConfigPath RUNNER_BATCH = ConfigPath.of("runner_config", "batch_size");

    private final ConfigDocument file;
    private final ConfigPath model;
    private final FileKeys keys;
    private final Map<String, String> arguments = new LinkedHashMap<>();
    private final List<EstimateNote> notes = new ArrayList<>();

    private MindformersConfiguration(ConfigDocument file) {
        this.file = file;
        this.keys = new FileKeys(file, FORMAT);
        ConfigPath nested = ConfigPath.of("model", "model_config");
        this.model = file.at(nested).isPresent() ? nested : ConfigPath.of("model_config");
    }

    /** Whether this is such a file. */
    public static boolean recognises(ConfigDocument file) {
        return file.at(ConfigPath.of("model_config")).isPresent()
                || file.at(ConfigPath.of("model", "model_config")).isPresent();
    }

    /** The arguments that the file answers. */
    public static Arguments of(ConfigDocument file) {
        return new MindformersConfiguration(file).read();
    }

    /** What the file says. */
    static EstimateInput input(ConfigDocument file) {
        MindformersConfiguration read = new MindformersConfiguration(file);
        return EstimateInput.ofMindformers(read.read(), read.keys, file, read.notes);
    }

    /** What the file's recomputation and swap settings do to each layer; empty when they are invalid. */
    public static Optional<List<LayerTreatment>> treatments(ConfigDocument file) {
        if (!(new Mindformers(Map.of()).analyse(file) instanceof MindformersResult.Valid valid)) {
            return Optional.empty();
        }
        boolean keepsCommunication = keepsCommunication(file);
        Set<LayerTreatment.Fetched> fetched = fetched(file);
        List<LayerDistribution.Place> places = valid.layers().places();
        List<LayerTreatment> treatments = new ArrayList<>();
        for (LayerState row : valid.grid()) {
            Set<ActivationPart> recomputed = EnumSet.noneOf(ActivationPart.class);
            Set<ActivationPart> swapped = EnumSet.noneOf(ActivationPart.class);
            Set<ActivationPart> excluded = EnumSet.noneOf(ActivationPart.class);
            for (OperatorState operator : row.operators()) {
                ActivationPart part = PARTS.get(operator.operator());
                if (part != null && operator.recompute() == OperatorState.Recompute.SELECT) {
                    recomputed.add(part);
                }
                if (part != null && operator.recompute() == OperatorState.Recompute.EXCLUDED) {
                    excluded.add(part);
                }
                if (part != null && operator.fate() == OperatorState.SwapFate.SWAPPED) {
                    swapped.add(part);
                }
            }
            if (row.fullRecompute() && keepsCommunication) {
                // What the two sums over model-parallel devices gave: each as large as the input of its half of the
                // layer.
                excluded.addAll(List.of(ActivationPart.ATTENTION_INPUT, ActivationPart.FEED_FORWARD_INPUT));
            }
            Set<LayerTreatment.Fetched> own = EnumSet.copyOf(fetched);
            if (places.get(row.layer()).position() == 0) {
                // What is sliced is the output of a layer: the first of a chunk has its input from elsewhere.
                own.remove(LayerTreatment.Fetched.INPUT);
            }
            treatments.add(new LayerTreatment(row.fullRecompute(), recomputed, swapped, excluded).fetching(own));
        }
        return Optional.of(treatments);
    }

    /** Whether layers that are recomputed in full do not communicate a second time, and there is somebody to communicate with. */
    private static boolean keepsCommunication(ConfigDocument file) {
        ConfigPath setting = ConfigPath.of("recompute_config", "mp_comm_recompute");
        ConfigPath devices = ConfigPath.of("parallel_config", "model_parallel");
        return file.at(setting).orElse(ConfigValue.of(true)).equals(ConfigValue.of(false))
                && file.at(devices).orElse(ConfigValue.of(1)) instanceof ConfigValue.Whole whole
                && whole.clamped() > 1;
    }

    /** What layers that are recomputed in full have from other devices again, where the file says so. */
    private static Set<LayerTreatment.Fetched> fetched(ConfigDocument file) {
        Set<LayerTreatment.Fetched> fetched = EnumSet.noneOf(LayerTreatment.Fetched.class);
        // The framework passes the slicing on only where all layers are meant.
        if (isOn(file, "recompute_config", "recompute_slice_activation")
                && isOn(file, "recompute_config", "recompute")) {
            fetched.add(LayerTreatment.Fetched.INPUT);
        }
        if (isOn(file, "recompute_config", "parallel_optimizer_comm_recompute")) {
            fetched.add(LayerTreatment.Fetched.WEIGHTS);
        }
        return fetched;
    }

    private static boolean isOn(ConfigDocument file, String... path) {
        return file.at(ConfigPath.of(path)).orElse(ConfigValue.nothing()).equals(ConfigValue.of(true));
    }

    /** How many layers the file's offset gives each model chunk; empty where this layout is not the file's. */
    static List<Integer> chunkLayers(ConfigDocument file, Layout layout) {
        if (!(new Mindformers(Map.of()).analyse(file) instanceof MindformersResult.Valid valid)
                || valid.layers().stages() != layout.pipeline()
                || valid.layers().interleaves() != layout.virtual()) {
            return List.of();
        }
        Integer[] counts = new Integer[layout.pipeline() * layout.virtual()];
        Arrays.fill(counts, 0);
        valid.layers().places().forEach(place -> counts[place.interleave() * layout.pipeline() + place.stage()]++);
        return List.of(counts);
    }

    private Arguments read() {
        model("num-layers", "num_layers", "num_hidden_layers");
        model("hidden-size", "hidden_size");
        model("num-attention-heads", "num_heads", "num_attention_heads");
        model("num-query-groups", "n_kv_heads", "num_key_value_heads");
        model("ffn-hidden-size", "intermediate_size");
        model("padded-vocab-size", "vocab_size");
        model("seq-length", "seq_length");
        // The runner's batch size replaces the dataset's; the model's is what inference works with.
        copy("micro-batch-size", RUNNER_BATCH);
        model("micro-batch-size", "batch_size");
        batches();
        copy("tensor-model-parallel-size", ConfigPath.of("parallel_config", "model_parallel"));
        copy("pipeline-model-parallel-size", ConfigPath.of("parallel_config", "pipeline_stage"));
        copy("context-parallel-size", ConfigPath.of("parallel_config", "context_parallel"));
        copy("expert-model-parallel-size", ConfigPath.of("parallel_config", "expert_parallel"));
        copy("data-parallel-size", ConfigPath.of("parallel_config", "data_parallel"));
        copy("num-virtual-stages-per-pipeline-rank", ConfigPath.of("parallel_config", "pp_interleave_num"));
        model("num-virtual-stages-per-pipeline-rank", "pp_interleave_num");
        copy("num-experts", ConfigPath.of("moe_config", "expert_num"));
        copy("moe-router-topk", ConfigPath.of("moe_config", "num_experts_chosen"));
        set("sequence-parallel", ConfigPath.of("parallel_config", "use_seq_parallel"));
        set("use-distributed-optimizer", ConfigPath.of("parallel", "enable_parallel_optimizer"));
        if (file.at(model.child("offset")).isPresent()) {
            arguments.put("offset", "true");
        }
        if (arguments.containsKey("num-query-groups")) {
            arguments.put("group-query-attention", "true");
        }
        withoutEffect();
        microBatches();
        feedForwardWidth();
        // MindFormers' Llama: gated, rotary, RMSNorm, no biases, an output matrix of its own.
        List.of("swiglu", "disable-bias-linear", "untie-embeddings-and-output-weights", "bf16")
                .forEach(name -> arguments.put(name, "true"));
        arguments.put("position-embedding-type", "rope");
        arguments.put("normalization", "RMSNorm");
        boolean flash = file.at(model.child("use_flash_attention"))
                .map(value -> !(value instanceof ConfigValue.Flag flag) || flag.value())
                .orElse(true);
        arguments.put("attention-backend", flash ? "flash" : "unfused");
        return new Arguments(arguments);
    }

    private void batches() {
        Optional<String> runner = whole(RUNNER_BATCH).filter(size -> Integer.parseInt(size) > 0);
        Optional<String> shape = whole(model.child("batch_size"));
        if (runner.isPresent() && shape.isPresent() && !runner.equals(shape)) {
            notes.add(EstimateNote.of(
                    "note.batch.differs",
                    RUNNER_BATCH.toString(),
                    runner.get(),
                    model.child("batch_size").toString(),
                    shape.get()));
        }
    }

    /** One expert is none, and a pipeline of one stage has nothing to interleave. */
    private void withoutEffect() {
        if (Integer.parseInt(arguments.getOrDefault("num-experts", "0")) <= 1) {
            List.of("num-experts", "moe-router-topk", "expert-model-parallel-size")
                    .forEach(arguments::remove);
        }
        if (arguments.getOrDefault("pipeline-model-parallel-size", "1").equals("1")) {
            arguments.remove("num-virtual-stages-per-pipeline-rank");
        }
    }

    private void microBatches() {
        Optional<String> count = whole(ConfigPath.of("parallel_config", "micro_batch_num"));
        Optional<String> micro = Optional.ofNullable(arguments.get("micro-batch-size"));
        if (count.isPresent() && micro.isPresent()) {
            long data = Long.parseLong(arguments.getOrDefault("data-parallel-size", "1"));
            long batch = Long.parseLong(count.get()) * Long.parseLong(micro.get()) * data;
            arguments.put("global-batch-size", Long.toString(Math.min(batch, Integer.MAX_VALUE)));
        }
    }

    /** Llama: 2/3 of 4h times the multiplier, up to a multiple. */
    private void feedForwardWidth() {
        if (arguments.containsKey("ffn-hidden-size") || !arguments.containsKey("hidden-size")) {
            return;
        }
        long multiple = whole(model.child("multiple_of")).map(Long::parseLong).orElse(256L);
        double multiplier = file.at(model.child("ffn_dim_multiplier"))
                .map(MindformersConfiguration::number)
                .orElse(1.0);
        long width = (long) (multiplier * (Long.parseLong(arguments.get("hidden-size")) * 8 / 3));
        arguments.put("ffn-hidden-size", Long.toString((width + multiple - 1) / Math.max(1, multiple) * multiple));
    }

    private static double number(ConfigValue value) {
        if (value instanceof ConfigValue.Real real) {
            return real.value();
        }
        return value instanceof ConfigValue.Whole whole ? whole.clamped() : 1;
    }

    private void model(String argument, String... keys) {
        for (String key : keys) {
            copy(argument, model.child(key));
        }
    }

    private void copy(String argument, ConfigPath path) {
        keys.whole(argument, path)
                .filter(value -> !value.equals("0"))
                .ifPresent(value -> arguments.putIfAbsent(argument, value));
    }

    private void set(String argument, ConfigPath path) {
        if (file.at(path).orElse(ConfigValue.nothing()).equals(ConfigValue.of(true))) {
            arguments.put(argument, "true");
        }
    }

    private Optional<String> whole(ConfigPath path) {
        return file.at(path)
                .filter(value -> value instanceof ConfigValue.Whole whole
                        && whole.value().bitLength() < 31)
                .map(value -> Integer.toString(((ConfigValue.Whole) value).clamped()));
    }
}
