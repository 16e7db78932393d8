package dev.lacuna.core.diagnosis.remedy;

import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Trait;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What a log has to show before a remedy is offered. Each of these is true and of use only to some, and that nothing speaks
 * against them is no evidence that the reader is one of those.
 */
final class RemedyNeeds {
    /** Of a training alone: its code, its arguments, its activations and optimizer. */
    private static final Set<String> A_TRAINING = Set.of(
            "bucket-lengths",
            "mixed-precision",
            "swap",
            "adaptive-memory",
            "memory-fragmentation",
            "recompute",
            "shard",
            "optimizer-offload",
            "optimizer-bits");

    /** Of a server whose own weights and requests fill the device, not one that others crowd out. */
    private static final Set<String> ROOM_OF_ITS_OWN = Set.of("fewer-requests", "smaller-weights", "spread");

    /** Shares for what is taken only after the weights: nothing of it is there while these are loaded. */
    private static final Set<String> WEIGHTS_LOADED =
            Set.of("trtllm-cache", "lmdeploy-cache", "vllm-utilisation", "sglang-smaller");

    private static final Map<String, Predicate<Evidence>> OTHERS = Map.of(
            "delete-loss",
            Evidence::grows,
            "no-grad",
            e -> e.origin().trains() && e.origin().evaluates(),
            "tf-async",
            RemedyNeeds::namesAsyncAllocator,
            "xla-preallocate",
            e -> e.surroundings().show(Trait.JAX) && isBesideThePool(e),
            "smaller-weights",
            ServingRemedies::servesLanguageModel,
            "optimisation-on",
            e -> e.origin().trains() || AllocatorRemedies.gapIsLarge(e));

    private RemedyNeeds() {}

    /** Whether the log shows what the remedy with this id needs. */
    static boolean areShown(String id, Evidence e) {
        return !(A_TRAINING.contains(id) && !e.origin().trains())
                && !(ROOM_OF_ITS_OWN.contains(id) && e.others().weighMost())
                && !(WEIGHTS_LOADED.contains(id) && e.origin().loadsWeights())
                && OTHERS.getOrDefault(id, any -> true).test(e);
    }

    /** TensorFlow itself names this allocator where it finds that its free memory lies in pieces. */
    private static boolean namesAsyncAllocator(Evidence e) {
        return e.report().text().contains("cuda_malloc_async")
                || e.report().context().says("cuda_malloc_async");
    }

    /** Whether something beside XLA's pool failed, or others hold what it wanted: only then does it help to take less at the start. */
    private static boolean isBesideThePool(Evidence e) {
        return e.claims(Claim.OUTSIDE_ALLOCATION)
                || e.claims(Claim.HELD_BY_OTHERS)
                || e.others().beyondShare().orElse(0) > 0;
    }
}
