package dev.lacuna.core.estimate.input;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.estimate.formula.PipelineSchedule;
import dev.lacuna.core.estimate.model.Configuration;
import dev.lacuna.core.estimate.model.Layout;
import dev.lacuna.core.estimate.model.Training;
import dev.lacuna.core.estimate.model.TransformerModel;
import dev.lacuna.core.estimate.term.Term;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A configuration from Megatron-LM's and MindSpeed's arguments, with their defaults. */
public final class MegatronConfiguration {
    /** Default of {@code --make-vocab-size-divisible-by}. */
    private static final int VOCABULARY_MULTIPLE = 128;
    /** What libraries hold beside the states: 100 MB, between 80 (Ampere) and 110 (Hopper, Blackwell); see docs/planning.md. */
    static final double OVERHEAD_BYTES = 100e6;
    /** Bytes in which the loss is computed, in place: beside 16-bit logits on a 32-bit copy, with 32-bit ones on themselves. */
    private static final int LOSS_BYTES = 4;

    private static final int HALF_PRECISION_BYTES = 2;
    private static final int SINGLE_PRECISION_BYTES = 4;
    /** More layers than any model has. */
    static final int MOST_LAYERS = 10_000;
    /** More ranks than any machine has, in one dimension of a layout and in all. */
    private static final int MOST_PER_DIMENSION = 30_000;

    private static final int MOST_RANKS = 100_000_000;
    /** ZeRO's stages end with sharded weights. */
    private static final int MOST_SHARDED = 3;
    /** Any of these lets stages hold unequal numbers of layers; offset is MindFormers' word for it. */
    static final List<String> UNEVEN = List.of(
            "decoder-first-pipeline-num-layers",
            "decoder-last-pipeline-num-layers",
            "pipeline-model-parallel-layout",
            "account-for-embedding-in-pipeline-split",
            "account-for-loss-in-pipeline-split",
            "num-layer-list",
            "offset");

    private final Arguments arguments;
    private final boolean megatron;

    private MegatronConfiguration(Arguments arguments, boolean megatron) {
        this.arguments = arguments;
        this.megatron = megatron;
    }

    /** @throws RefusedException when something needed is missing or contradicts itself */
    public static Configuration of(Arguments arguments) throws RefusedException {
        return of(arguments, true);
    }

    /**
     * As {@link #of(Arguments)}.
     *
     * @param megatron whether Megatron-LM's own rules hold: another framework's schedules differ
     */
    static Configuration of(Arguments arguments, boolean megatron) throws RefusedException {
        Arguments settled = withoutNeedlessDevices(arguments);
        KnownArguments.check(settled);
        return new MegatronConfiguration(settled, megatron).configuration();
    }

    /** Devices that a script leaves open do not matter where the number of them is given otherwise. */
    private static Arguments withoutNeedlessDevices(Arguments arguments) {
        boolean reported = arguments.text("world-size").isPresent()
                || arguments.text("data-parallel-size").isPresent();
        return reported
                ? arguments.without(Stream.of("nnodes", "nproc-per-node")
                        .filter(arguments.unknown()::containsKey)
                        .toList())
                : arguments;
    }

    private Configuration configuration() throws RefusedException {
        int tensor = ranks("tensor-model-parallel-size", 1);
        TransformerModel model = model(tensor);
        Layout layout = layout(tensor, model.layers());
        Training training = training(layout);
        MegatronRules rules = new MegatronRules(arguments);
        rules.checkModel(layout);
        if (megatron) {
            rules.check(model, layout, training.sequence());
        }
        List<Integer> chunks = new UnevenStages(arguments, model.layers(), layout).chunks();
        return new Configuration(
                model,
                layout,
                training,
                new MegatronRecompute(arguments, model, PipelineSchedule.chunkSizes(model.layers(), layout, chunks))
                        .treatments(),
                chunks);
    }

    private TransformerModel model(int tensor) throws RefusedException {
        int layers = arguments.needed("num-layers");
        if (layers > MOST_LAYERS) {
            throw new RefusedException(Term.WORDS.of("refused.many", "num-layers", Integer.toString(MOST_LAYERS)));
        }
        int hidden = arguments.needed("hidden-size");
        int heads = arguments.needed("num-attention-heads");
        checkShape(tensor, hidden, heads);
        int headSize = arguments.number("kv-channels", hidden / heads, 1);
        int groups = arguments.on("group-query-attention") ? arguments.number("num-query-groups", 1, 1) : heads;
        divides("num-attention-heads", heads, "num-query-groups", groups);
        boolean gated = arguments.on("swiglu");
        // Megatron: with SwiGLU 2/3 of 4h, down to a multiple of 64.
        int width = arguments.number("ffn-hidden-size", gated ? (int) (hidden * 4L * 2 / 3 / 64) * 64 : 4 * hidden, 1);
        Optional<TransformerModel.Experts> experts = experts(width);
        boolean learned = arguments
                .text("position-embedding-type")
                .orElse("learned_absolute")
                .startsWith("learned");
        int positions = learned ? arguments.number("max-position-embeddings", sequence(), 1) : 0;
        return new TransformerModel(
                hidden,
                new TransformerModel.Attention(
                        heads, groups, headSize, latent(), arguments.on("add-qkv-bias"), arguments.on("qk-layernorm")),
                new TransformerModel.FeedForward(width, gated),
                experts,
                expertLayers(layers, experts.isPresent()),
                vocabulary(tensor),
                positions,
                !arguments.on("untie-embeddings-and-output-weights"),
                !arguments.on("disable-bias-linear"),
                arguments.text("normalization").orElse("LayerNorm").equals("RMSNorm") ? 1 : 2,
                particulars(hidden));
    }

    /** Names of no framework: readers of other files set them. */
    private TransformerModel.Particulars particulars(int hidden) throws RefusedException {
        return new TransformerModel.Particulars(
                arguments.number("norms-per-layer", 2, 0),
                arguments.number("norms-outside-layers", 1, 0),
                arguments.number("embedding-width", hidden, 1),
                arguments.on("disable-bias-qkv"));
    }

    private void checkShape(int tensor, int hidden, int heads) throws RefusedException {
        divides("num-attention-heads", heads, "tensor-model-parallel-size", tensor);
        if (arguments.text("kv-channels").isEmpty() && !arguments.on("multi-latent-attention")) {
            divides("hidden-size", hidden, "num-attention-heads", heads);
        }
    }

    static void divides(String name, long whole, String by, long part) throws RefusedException {
        if (whole % part != 0) {
            throw new RefusedException(
                    Term.WORDS.of("refused.divide", name, Long.toString(whole), by, Long.toString(part)));
        }
    }

    private Optional<TransformerModel.Experts> experts(int width) throws RefusedException {
        int count = arguments.number("num-experts", 0, 0);
        return count == 0
                ? Optional.empty()
                : Optional.of(new TransformerModel.Experts(
                        count,
                        arguments.number("moe-router-topk", 2, 1),
                        arguments.number("moe-ffn-hidden-size", width, 1),
                        arguments.number("moe-shared-expert-intermediate-size", 0, 0),
                        arguments.on("moe-shared-expert-gate"),
                        arguments.on("moe-router-enable-expert-bias")));
    }

    private Optional<TransformerModel.Latent> latent() throws RefusedException {
        // Defaults of Megatron's MLATransformerConfig, but for queries, which are projected directly unless a rank is
        // given.
        return arguments.on("multi-latent-attention")
                ? Optional.of(new TransformerModel.Latent(
                        arguments.number("q-lora-rank", 0, 0),
                        arguments.number("kv-lora-rank", 512, 1),
                        arguments.number("qk-head-dim", 128, 1),
                        arguments.number("qk-pos-emb-head-dim", 64, 0),
                        arguments.number("v-head-dim", 128, 1)))
                : Optional.empty();
    }

    /** {@code --moe-layer-freq}: a number n (every n-th layer from the first), or a list such as {@code ([0]*3+[1]*13)}. */
    private List<Boolean> expertLayers(int layers, boolean any) throws RefusedException {
        if (!any) {
            return Collections.nCopies(layers, false);
        }
        String frequency = arguments.text("moe-layer-freq").orElse("1");
        List<Boolean> pattern = new ArrayList<>();
        if (frequency.matches("\\d{1,5}")) {
            int every = Math.max(1, Integer.parseInt(frequency));
            for (int i = 0; i < layers; i++) {
                pattern.add(i % every == 0);
            }
            return pattern;
        }
        for (String part : frequency.replaceAll("[()\\s]", "").split("\\+", -1)) {
            if (!part.matches("\\[[01](,[01])*](\\*\\d{1,5})?")) {
                throw new RefusedException(Term.WORDS.of("refused.pattern", "moe-layer-freq", frequency));
            }
            String[] sides = part.split("\\*", -1);
            List<Boolean> once = Arrays.stream(
                            sides[0].replaceAll("[\\[\\]]", "").split(",", -1))
                    .map("1"::equals)
                    .toList();
            int times = sides.length == 2 ? Integer.parseInt(sides[1]) : 1;
            for (int i = 0; i < times && pattern.size() < MOST_LAYERS; i++) {
                pattern.addAll(once);
            }
        }
        if (pattern.size() < layers) {
            throw new RefusedException(Term.WORDS.of("refused.pattern", "moe-layer-freq", frequency));
        }
        return pattern.subList(0, layers);
    }

    /** Megatron pads the vocabulary to a multiple for each tensor-parallel rank. */
    private int vocabulary(int tensor) throws RefusedException {
        if (arguments.text("padded-vocab-size").isPresent()) {
            return arguments.needed("padded-vocab-size");
        }
        long multiple = (long) arguments.number("make-vocab-size-divisible-by", VOCABULARY_MULTIPLE, 1) * tensor;
        long padded = (arguments.needed("vocab-size") + multiple - 1) / multiple * multiple;
        return (int) Math.min(padded, Integer.MAX_VALUE);
    }

    private int sequence() throws RefusedException {
        return arguments.needed("seq-length");
    }

    private Layout layout(int tensor, int layers) throws RefusedException {
        int pipeline = ranks("pipeline-model-parallel-size", 1);
        int context = ranks("context-parallel-size", 1);
        int expert = ranks("expert-model-parallel-size", 1);
        int expertTensor = ranks("expert-tensor-parallel-size", tensor);
        long split = (long) tensor * pipeline * context;
        int experts = arguments.number("num-experts", 0, 0);
        if (experts > 0) {
            divides("num-experts", experts, "expert-model-parallel-size", expert);
        }
        if (UNEVEN.stream().allMatch(name -> arguments.text(name).isEmpty())) {
            divides("num-layers", layers, "pipeline-model-parallel-size", pipeline);
        }
        long world = arguments.number("world-size", ranks("nproc-per-node", 1) * ranks("nnodes", 1), 1);
        boolean stated = arguments.text("world-size").isPresent()
                || arguments.text("nproc-per-node").isPresent();
        if (stated && world % split != 0) {
            throw new RefusedException(Term.WORDS.of("refused.world", Long.toString(world), tensor, pipeline, context));
        }
        int data = ranks("data-parallel-size", (int) Math.max(1, world / split));
        if (stated && world != split * data) {
            throw new RefusedException(Term.WORDS.of(
                    "refused.data", Integer.toString(data), Long.toString(world), tensor, pipeline, context));
        }
        if (split * data > MOST_RANKS) {
            throw new RefusedException(Term.WORDS.of("refused.many", "world-size", Integer.toString(MOST_RANKS)));
        }
        int virtual = ranks("num-virtual-stages-per-pipeline-rank", 1);
        if (arguments.text("num-layers-per-virtual-pipeline-stage").isPresent()) {
            int counted = layers + ends();
            virtual = Math.max(1, counted / pipeline / arguments.needed("num-layers-per-virtual-pipeline-stage"));
        }
        boolean sequence = arguments.on("sequence-parallel") && tensor > 1;
        boolean unsharded = arguments.on("no-reshard-after-forward");
        int group = arguments.number(MegatronRules.GROUP, pipeline, 1);
        return new Layout(
                tensor, pipeline, virtual, group, context, expert, expertTensor, data, sequence, zero(), unsharded);
    }

    private int ranks(String name, int absent) throws RefusedException {
        int number = arguments.number(name, absent, 1);
        if (number > MOST_PER_DIMENSION) {
            throw new RefusedException(Term.WORDS.of("refused.many", name, Integer.toString(MOST_PER_DIMENSION)));
        }
        return number;
    }

    /** Embedding and loss, where they count as a layer each. */
    private int ends() {
        return (arguments.on("account-for-embedding-in-pipeline-split") ? 1 : 0)
                + (arguments.on("account-for-loss-in-pipeline-split") ? 1 : 0);
    }

    private int zero() throws RefusedException {
        int stage = switch (arguments.text("data-parallel-sharding-strategy").orElse("no_shard")) {
            case "optim_grads_params" -> 3;
            case "optim_grads" -> 2;
            case "optim" -> 1;
            default -> 0;
        };
        int distributed = arguments.on("use-distributed-optimizer") ? 1 : 0;
        int zero = arguments.number("zero-stage", Math.max(stage, distributed), 0);
        if (zero > MOST_SHARDED) {
            throw new RefusedException(Term.WORDS.of("refused.zero", Integer.toString(zero)));
        }
        return zero;
    }

    private Training training(Layout layout) throws RefusedException {
        int micro = arguments.needed("micro-batch-size");
        long whole = (long) micro * layout.data();
        long batch = arguments.number("global-batch-size", (int) Math.min(whole, Integer.MAX_VALUE), 1);
        boolean flash = arguments
                .text("attention-backend")
                .map(backend -> !backend.equals("unfused") && !backend.equals("local"))
                .orElse(!arguments.text("transformer-impl").orElse("").equals("local"));
        boolean half = arguments.on("bf16") || arguments.on("fp16");
        return new Training(
                sequence(),
                micro,
                (int) Math.max(1, batch / whole),
                states(),
                arguments.number("element-bytes", half ? HALF_PRECISION_BYTES : SINGLE_PRECISION_BYTES, 1),
                flash || arguments.on("use-flash-attn")
                        ? Training.AttentionKernel.FLASH
                        : Training.AttentionKernel.UNFUSED,
                switch (arguments.text("recompute-granularity").orElse("")) {
                    case "full" -> Training.Recompute.FULL;
                    case "selective" -> Training.Recompute.SELECTIVE;
                    case "every-second" -> Training.Recompute.EVERY_SECOND;
                    default ->
                        arguments.on("recompute-activations") ? Training.Recompute.SELECTIVE : Training.Recompute.NONE;
                },
                arguments.number("loss-bytes-per-logit", half ? HALF_PRECISION_BYTES + LOSS_BYTES : LOSS_BYTES, 0),
                arguments.number("overhead-bytes", (int) OVERHEAD_BYTES, 0));
    }

    private Training.StateBytes states() {
        Training.StateBytes states = Training.StateBytes.FP32_ADAM;
        if (arguments.on("bf16")) {
            String optimizer = arguments.text("optimizer").orElse("adam");
            states = optimizer.equals("adam") ? Training.StateBytes.BF16_ADAM : Training.StateBytes.BF16_MOMENTUM;
        } else if (arguments.on("fp16")) {
            states = Training.StateBytes.FP16_ADAM;
        }
        // MindSpeed: the 16-bit weights live in the upper halves of the 32-bit ones; optimizer states wait on the host.
        double weights = arguments.on("reuse-fp32-param") ? 0 : states.weights();
        double optimizer =
                arguments.on("swap-optimizer") || arguments.on("optimizer-cpu-offload") ? 0 : states.optimizer();
        return new Training.StateBytes(weights, states.gradients(), optimizer);
    }
}
