package dev.lacuna.core.estimate.input;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.estimate.model.Layout;
import dev.lacuna.core.estimate.model.TransformerModel;
import dev.lacuna.core.estimate.term.Term;
import java.util.List;
import java.util.Set;

/** What Megatron-LM refuses before it trains (validate_args, TransformerConfig, the interleaved schedule), with the reason. */
final class MegatronRules {
    private static final Set<String> GRANULARITIES = Set.of("full", "selective", "every-second", "none");
    private static final Set<String> METHODS = Set.of("uniform", "block");
    private static final Set<String> MODULES =
            Set.of("core_attn", "moe_act", "layernorm", "mla_up_proj", "mlp", "moe", "shared_experts");
    private static final String GRANULARITY = "recompute-granularity";
    private static final String MODULE_LIST = "recompute-modules";
    private static final String PER_VIRTUAL_STAGE = "num-layers-per-virtual-pipeline-stage";
    static final String GROUP = "microbatch-group-size-per-virtual-pipeline-stage";
    private static final String ALONE = "no-overlap-p2p-communication";
    private static final String VIRTUAL_STAGES = "num-virtual-stages-per-pipeline-rank";

    private final Arguments arguments;

    MegatronRules(Arguments arguments) {
        this.arguments = arguments;
    }

    /** What no framework can train. @throws RefusedException with the first rule that is broken */
    void checkModel(Layout layout) throws RefusedException {
        recomputation();
        precision(layout);
        experts(layout);
    }

    /** What the framework's own schedules want. @throws RefusedException with the first rule that is broken */
    void check(TransformerModel model, Layout layout, int sequence) throws RefusedException {
        batch(layout);
        sequence(layout, sequence);
        interleaving(model, layout);
    }

    private void recomputation() throws RefusedException {
        oneOf(GRANULARITY, GRANULARITIES);
        oneOf("recompute-method", METHODS);
        for (String module : modules(arguments)) {
            if (!MODULES.contains(module)) {
                throw new RefusedException(
                        Term.WORDS.of("refused.choice", MODULE_LIST, module, String.join(", ", sorted(MODULES))));
            }
        }
        if (arguments.text(GRANULARITY).orElse("").equals("selective")) {
            for (String other : List.of("recompute-method", "recompute-num-layers")) {
                if (arguments.text(other).isPresent()) {
                    throw new RefusedException(Term.WORDS.of("refused.selective", other));
                }
            }
        }
    }

    /** {@code --recompute-modules} as words. */
    static List<String> modules(Arguments arguments) {
        return arguments
                .text(MODULE_LIST)
                .map(text -> List.of(text.replaceAll("[\\[\\],'\"]", " ").trim().split("\\s+", -1)))
                .orElse(List.of());
    }

    private void oneOf(String name, Set<String> choices) throws RefusedException {
        String given = arguments.text(name).orElse("");
        if (!given.isEmpty() && !choices.contains(given)) {
            throw new RefusedException(
                    Term.WORDS.of("refused.choice", name, given, String.join(", ", sorted(choices))));
        }
    }

    private static List<String> sorted(Set<String> choices) {
        return choices.stream().sorted().toList();
    }

    private void precision(Layout layout) throws RefusedException {
        if (arguments.on("bf16") && arguments.on("fp16")) {
            throw new RefusedException(Term.WORDS.of("refused.precision"));
        }
        if (arguments.on("fp16") && layout.expert() > 1) {
            throw new RefusedException(Term.WORDS.of("refused.expert.fp16"));
        }
    }

    private void experts(Layout layout) throws RefusedException {
        int experts = arguments.number("num-experts", 0, 0);
        if (experts == 0 && layout.expert() > 1) {
            throw new RefusedException(Term.WORDS.of("refused.no.experts", layout.expert()));
        }
        int chosen = arguments.number("moe-router-topk", 2, 1);
        if (experts > 0 && chosen > experts) {
            throw new RefusedException(
                    Term.WORDS.of("refused.topk", Integer.toString(chosen), Integer.toString(experts)));
        }
        long group = (long) layout.expertTensor() * layout.expert() * layout.pipeline();
        if (experts > 0 && worldStated() && layout.world() % group != 0) {
            throw new RefusedException(Term.WORDS.of(
                    "refused.expert.world",
                    Integer.toString(layout.world()),
                    layout.expertTensor(),
                    layout.expert(),
                    layout.pipeline()));
        }
    }

    private boolean worldStated() {
        return List.of("world-size", "nproc-per-node", "data-parallel-size").stream()
                .anyMatch(name -> arguments.text(name).isPresent());
    }

    private void batch(Layout layout) throws RefusedException {
        if (arguments.text("global-batch-size").isEmpty()
                || arguments.text("rampup-batch-size").isPresent()
                || arguments.on("decrease-batch-size-if-needed")) {
            return;
        }
        int batch = arguments.needed("global-batch-size");
        int micro = arguments.needed("micro-batch-size");
        if (batch % ((long) micro * layout.data()) != 0) {
            throw new RefusedException(Term.WORDS.of(
                    "refused.batch",
                    Integer.toString(batch),
                    Integer.toString(micro),
                    Integer.toString(layout.data())));
        }
    }

    private void sequence(Layout layout, int sequence) throws RefusedException {
        if (layout.context() > 1 && sequence % (2L * layout.context()) != 0) {
            throw new RefusedException(
                    Term.WORDS.of("refused.context", Integer.toString(sequence), Integer.toString(layout.context())));
        }
        int positions = arguments.number("max-position-embeddings", sequence, 1);
        if (sequence > positions) {
            throw new RefusedException(
                    Term.WORDS.of("refused.positions", Integer.toString(sequence), Integer.toString(positions)));
        }
    }

    private void interleaving(TransformerModel model, Layout layout) throws RefusedException {
        boolean perStage = arguments.text(PER_VIRTUAL_STAGE).isPresent();
        if (perStage && arguments.text(VIRTUAL_STAGES).isPresent()) {
            throw new RefusedException(Term.WORDS.of("refused.both", PER_VIRTUAL_STAGE, VIRTUAL_STAGES));
        }
        if (layout.virtual() > 1 && layout.pipeline() == 1) {
            throw new RefusedException(Term.WORDS.of("refused.interleaved", Integer.toString(layout.virtual())));
        }
        if (layout.virtual() > 1 && layout.pipeline() == 2 && arguments.on(ALONE)) {
            throw new RefusedException(
                    Term.WORDS.of("refused.interleaved.alone", Integer.toString(layout.virtual()), ALONE));
        }
        boolean even = MegatronConfiguration.UNEVEN.stream()
                .allMatch(name -> arguments.text(name).isEmpty());
        int held = model.layers() / layout.pipeline();
        if (even && perStage) {
            MegatronConfiguration.divides(
                    "num-layers / pipeline-model-parallel-size",
                    held,
                    PER_VIRTUAL_STAGE,
                    arguments.needed(PER_VIRTUAL_STAGE));
        } else if (even && layout.virtual() > 1) {
            MegatronConfiguration.divides(
                    "num-layers / pipeline-model-parallel-size", held, VIRTUAL_STAGES, layout.virtual());
        }
        if (layout.virtual() > 1) {
            microBatches(layout);
        }
    }

    /** A group of micro-batches runs through a model chunk after another: groups are whole, or the last has a micro-batch for each stage. */
    private void microBatches(Layout layout) throws RefusedException {
        if (arguments.text("global-batch-size").isEmpty()) {
            return;
        }
        int stages = layout.pipeline();
        long whole = (long) arguments.needed("micro-batch-size") * layout.data();
        long count = arguments.needed("global-batch-size") / whole;
        int group = layout.group();
        long rest = count % group;
        if (group < stages || group > count || rest > 0 && rest < stages) {
            throw new RefusedException(
                    Term.WORDS.of("refused.groups", Long.toString(count), Integer.toString(group), stages));
        }
    }
}
