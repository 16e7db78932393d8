package dev.lacuna.core.estimate.input;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.estimate.formula.ActivationTerms;
import dev.lacuna.core.estimate.model.ActivationPart;
import dev.lacuna.core.estimate.model.LayerProduct;
import dev.lacuna.core.estimate.model.LayerTreatment;
import dev.lacuna.core.estimate.model.TransformerModel;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What Megatron-LM's and MindSpeed's arguments recompute and swap in each layer. Numbers of layers hold for each model chunk. */
final class MegatronRecompute {
    private static final String NUMBER = "recompute-num-layers";

    private final Arguments arguments;
    private final TransformerModel model;
    private final List<Integer> chunkLayers;
    private final Set<ActivationPart> swapped;

    /** @param chunkLayers layers of each model chunk in the order of the model */
    MegatronRecompute(Arguments arguments, TransformerModel model, List<Integer> chunkLayers) {
        this.arguments = arguments;
        this.model = model;
        this.chunkLayers = List.copyOf(chunkLayers);
        this.swapped = arguments.on("swap-attention")
                ? EnumSet.of(ActivationPart.QUERY_KEY_VALUE, ActivationPart.ATTENTION_OUTPUT)
                : EnumSet.noneOf(ActivationPart.class);
    }

    /** One treatment a layer. */
    List<LayerTreatment> treatments() throws RefusedException {
        String granularity = arguments
                .text("recompute-granularity")
                .orElse(arguments.on("recompute-activations") ? "selective" : "none");
        List<LayerTreatment> treatments = new ArrayList<>();
        for (int chunk : chunkLayers) {
            for (int position = 0; position < chunk; position++) {
                boolean expertLayer = model.expertLayers().get(treatments.size());
                treatments.add(
                        switch (granularity) {
                            case "full" -> whole(position, chunk);
                            case "selective" -> selective(expertLayer);
                            case "every-second" -> everySecond();
                            default -> kept(position);
                        });
            }
        }
        return treatments;
    }

    /**
     * A layer that is not recomputed as a whole: of it MindSpeed can run activation function and norms again, which frees what
     * they put out. Where a number of layers is given, that many do, from the first that is not recomputed.
     *
     * @param position of the layer among those
     */
    private LayerTreatment kept(int position) throws RefusedException {
        Set<ActivationPart> parts = EnumSet.noneOf(ActivationPart.class);
        if (again("recompute-activation-function", position)) {
            parts.add(ActivationPart.FEED_FORWARD_ACTIVATION);
        }
        if (again("recompute-norm", position)) {
            parts.add(ActivationPart.ATTENTION_INPUT);
            parts.add(ActivationPart.FEED_FORWARD_INPUT);
        }
        return new LayerTreatment(false, parts, swapped, Set.of());
    }

    private boolean again(String name, int position) throws RefusedException {
        return arguments.on(name) && position < arguments.number(name + "-num-layers", Integer.MAX_VALUE, 0);
    }

    /**
     * {@code block}: the first layers of a chunk, each on its own. {@code uniform}: all, so many at once from the chunk's
     * beginning, the last of them fewer where they do not come out even; Megatron keeps one input for all of them.
     */
    private LayerTreatment whole(int position, int chunk) throws RefusedException {
        boolean block = arguments.text("recompute-method").orElse("").equals("block");
        int number = block ? arguments.number(NUMBER, chunk, 0) : arguments.number(NUMBER, 1, 1);
        if (block && position >= number) {
            return kept(position - number);
        }
        boolean joined = !block && position % number != 0;
        return new LayerTreatment(true, joined, Set.of(), swapped, Set.of(), Set.of());
    }

    /** TorchTitan's "op", which {@link ActivationTerms} counts as a whole: here is what runs again. */
    private LayerTreatment everySecond() {
        Set<LayerProduct> again = EnumSet.of(LayerProduct.KEY, LayerProduct.ATTENTION_PROJECTION);
        if (model.feedForward().gated()) {
            again.add(LayerProduct.FEED_FORWARD_GATE);
        }
        return new LayerTreatment(false, false, Set.of(), swapped, Set.of(), again);
    }

    /** {@code --recompute-modules}; the attention core unless said otherwise. A module runs again from its input to its output. */
    private LayerTreatment selective(boolean expertLayer) {
        Set<ActivationPart> parts = EnumSet.noneOf(ActivationPart.class);
        Set<LayerProduct> again = EnumSet.noneOf(LayerProduct.class);
        List<String> modules = MegatronRules.modules(arguments);
        for (String module : modules.isEmpty() ? List.of("core_attn") : modules) {
            switch (module) {
                case "core_attn" -> {
                    parts.add(ActivationPart.ATTENTION_CORE);
                    again.add(LayerProduct.ATTENTION_CORE);
                }
                case "layernorm" -> {
                    parts.add(ActivationPart.ATTENTION_INPUT);
                    parts.add(ActivationPart.FEED_FORWARD_INPUT);
                }
                case "mla_up_proj" -> {
                    parts.add(ActivationPart.QUERY_KEY_VALUE);
                    again.add(LayerProduct.LATENT_UP);
                }
                case "moe_act" -> parts.add(ActivationPart.FEED_FORWARD_ACTIVATION);
                case "mlp", "moe" -> feedForward(module.equals("moe") == expertLayer, parts, again);
                default -> {
                    // Modules of newer versions: nothing is saved on their account.
                }
            }
        }
        return new LayerTreatment(false, false, parts, swapped, Set.of(), again);
    }

    /** Megatron means dense layers by {@code mlp}, mixtures of experts by {@code moe}. */
    private static void feedForward(boolean meant, Set<ActivationPart> parts, Set<LayerProduct> again) {
        if (meant) {
            parts.add(ActivationPart.FEED_FORWARD_UP);
            parts.add(ActivationPart.FEED_FORWARD_ACTIVATION);
            again.add(LayerProduct.FEED_FORWARD_UP);
            again.add(LayerProduct.FEED_FORWARD_DOWN);
        }
    }
}
