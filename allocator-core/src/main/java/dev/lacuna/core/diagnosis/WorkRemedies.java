package dev.lacuna.core.diagnosis;

import dev.lacuna.core.oom.Framework.Family;
import java.util.Optional;

/** Asking for less: changes to the work itself, and the settings that only one framework has. */
final class WorkRemedies {
    private WorkRemedies() {}

    /** One request larger than the device has to be cut. */
    static Optional<Remedy> splitRequest(Evidence e) {
        return plain("split-request");
    }

    static Optional<Remedy> smallerMicroBatch(Evidence e) {
        return plain("smaller-micro-batch");
    }

    /** The last resort of a fragmentation: memory is not short, its shape is. */
    static Optional<Remedy> smallerMicroBatchLast(Evidence e) {
        return Optional.of(
                Remedy.manual("smaller-micro-batch", Optional.empty(), Text.of("remedy.smaller-micro-batch.why.last")));
    }

    static Optional<Remedy> bucketLengths(Evidence e) {
        return trains(e) ? plain("bucket-lengths") : Optional.empty();
    }

    static Optional<Remedy> swap(Evidence e) {
        return trains(e) ? plain("swap") : Optional.empty();
    }

    static Optional<Remedy> recompute(Evidence e) {
        return trains(e) ? plain("recompute") : Optional.empty();
    }

    static Optional<Remedy> shard(Evidence e) {
        return plain("shard");
    }

    /** How to get a message that a verdict can rest on. */
    static Optional<Remedy> getFigures(Evidence e) {
        return plain("get-figures");
    }

    /** The setting that this framework has for the purpose, where it is not PyTorch. */
    static Optional<Remedy> ownSetting(Evidence e) {
        return switch (e.report().framework()) {
            case JAX_XLA -> own("xla-preallocate", "XLA_PYTHON_CLIENT_PREALLOCATE=false");
            case TENSORFLOW -> own("tf-async", "TF_GPU_ALLOCATOR=cuda_malloc_async");
            case PADDLE -> own("paddle-growth", "FLAGS_allocator_strategy=auto_growth");
            case ONNX_RUNTIME -> own("ort-arena", "arena_extend_strategy=kSameAsRequested");
            case LLAMA_CPP_CUDA, LLAMA_CPP_ROCM -> own("llama-layers", "--n-gpu-layers N");
            case VLLM -> own("vllm-utilisation", "--gpu-memory-utilization 0.85");
            case MINDSPORE_ASCEND, MINDSPORE_GPU ->
                own("mindspore-memory", "mindspore.set_context(max_device_memory=\"SIZE\")");
            default -> Optional.empty();
        };
    }

    private static Optional<Remedy> own(String id, String command) {
        return Optional.of(Remedy.manual(id, Optional.of(command), Remedy.whyOf(id)));
    }

    private static Optional<Remedy> plain(String id) {
        return Optional.of(Remedy.manual(id, Optional.empty(), Remedy.whyOf(id)));
    }

    private static boolean trains(Evidence e) {
        return e.report().framework().family() != Family.INFERENCE;
    }
}
