package dev.lacuna.core.estimate.input;

import dev.lacuna.core.base.Misspelling;
import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.config.shellscript.ShellWord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The arguments that an estimate looks at; of the others it tells that they change nothing here, and what may have been meant. */
final class KnownArguments {
    private static final Set<String> NAMES = Set.of(("""
                    num-layers hidden-size num-attention-heads kv-channels group-query-attention num-query-groups swiglu
                    ffn-hidden-size position-embedding-type max-position-embeddings untie-embeddings-and-output-weights
                    disable-bias-linear add-qkv-bias qk-layernorm normalization num-experts moe-router-topk moe-ffn-hidden-size
                    moe-shared-expert-intermediate-size moe-shared-expert-gate moe-router-enable-expert-bias moe-layer-freq
                    multi-latent-attention q-lora-rank kv-lora-rank qk-head-dim qk-pos-emb-head-dim v-head-dim
                    padded-vocab-size make-vocab-size-divisible-by vocab-size seq-length tensor-model-parallel-size
                    pipeline-model-parallel-size context-parallel-size expert-model-parallel-size
                    expert-tensor-parallel-size data-parallel-size world-size nproc-per-node nnodes
                    num-virtual-stages-per-pipeline-rank num-layers-per-virtual-pipeline-stage sequence-parallel
                    no-reshard-after-forward data-parallel-sharding-strategy use-distributed-optimizer zero-stage
                    micro-batch-size global-batch-size attention-backend transformer-impl use-flash-attn
                    recompute-granularity recompute-activations recompute-method recompute-num-layers recompute-modules
                    loss-bytes-per-logit element-bytes overhead-bytes bf16 fp16 optimizer reuse-fp32-param swap-optimizer
                    optimizer-cpu-offload swap-attention swap-modules rampup-batch-size
                    adaptive-memory-optimization adaptive-recompute-device-size adaptive-recompute-device-swap
                    adaptive-recompute-profiling-step memory-fragmentation smart-swap recompute-activation-function
                    recompute-activation-function-num-layers recompute-norm recompute-norm-num-layers
                    decrease-batch-size-if-needed microbatch-group-size-per-virtual-pipeline-stage no-overlap-p2p-communication
                    decoder-first-pipeline-num-layers
                    decoder-last-pipeline-num-layers pipeline-model-parallel-layout
                    account-for-embedding-in-pipeline-split account-for-loss-in-pipeline-split num-layer-list offset""").strip().split("\\s+"));
    private static final Set<String> SWITCHES = Set.of(("""
                    group-query-attention swiglu untie-embeddings-and-output-weights disable-bias-linear add-qkv-bias
                    qk-layernorm moe-shared-expert-gate moe-router-enable-expert-bias multi-latent-attention
                    sequence-parallel no-reshard-after-forward use-distributed-optimizer use-flash-attn
                    recompute-activations bf16 fp16 reuse-fp32-param swap-optimizer optimizer-cpu-offload swap-attention
                    adaptive-memory-optimization adaptive-recompute-device-swap memory-fragmentation smart-swap
                    recompute-activation-function recompute-norm
                    decrease-batch-size-if-needed no-overlap-p2p-communication account-for-embedding-in-pipeline-split
                    account-for-loss-in-pipeline-split""").strip().split("\\s+"));
    /** Letters wrong in a mistyped name, at most. */
    private static final int MOST_WRONG = 2;

    private KnownArguments() {}

    /** Whether this argument takes no value. */
    static boolean isSwitch(String name) {
        return SWITCHES.contains(name);
    }

    /** @throws RefusedException when something that the estimate looks at is not known from the script */
    static void check(Arguments given) throws RefusedException {
        for (String name : given.unknown().keySet()) {
            if (NAMES.contains(name)) {
                given.known(name);
            }
        }
    }

    /** A note for each name that was probably mistyped, and one for all the others that change nothing here. */
    static List<EstimateNote> notes(Arguments given) {
        List<EstimateNote> notes = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (String name : given.values().keySet()) {
            if (NAMES.contains(name)) {
                continue;
            }
            Optional<String> near = nearest(name);
            if (near.isPresent()) {
                notes.add(EstimateNote.of("note.argument.near", name, near.get()));
            } else {
                others.add("--" + name);
            }
        }
        given.unknown().forEach((reference, unknown) -> {
            if (!given.values().containsKey(reference)) {
                boolean varies = unknown.reason() == ShellWord.Reason.VARIES;
                notes.add(EstimateNote.of(varies ? "note.shell.varies" : "note.shell", reference));
            }
        });
        if (!others.isEmpty()) {
            notes.add(EstimateNote.of("note.arguments", String.join(" ", others)));
        }
        return notes;
    }

    private static Optional<String> nearest(String name) {
        return NAMES.stream()
                .filter(known -> name.length() > 2 * MOST_WRONG && Misspelling.distance(name, known) <= MOST_WRONG)
                .min(Comparator.<String>comparingInt(known -> Misspelling.distance(name, known))
                        .thenComparing(Comparator.naturalOrder()));
    }
}
