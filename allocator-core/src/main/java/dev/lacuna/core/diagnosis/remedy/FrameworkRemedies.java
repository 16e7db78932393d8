package dev.lacuna.core.diagnosis.remedy;

import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.oom.model.Setting;
import java.util.Optional;

/** Settings that only one framework has for the purpose, and what helps when the host's memory ran out. */
final class FrameworkRemedies {
    private FrameworkRemedies() {}

    /** The setting of this framework, where it is not PyTorch's caching allocator. */
    static Optional<Remedy> ownSetting(Evidence e) {
        return switch (e.report().framework()) {
            case JAX_XLA ->
                unless(e, Setting.XLA_NO_PREALLOCATION, "xla-preallocate", "XLA_PYTHON_CLIENT_PREALLOCATE=false");
            case TENSORFLOW -> unless(e, Setting.TF_ASYNC, "tf-async", "TF_GPU_ALLOCATOR=cuda_malloc_async");
            case PADDLE -> unless(e, Setting.PADDLE_GROWTH, "paddle-growth", "FLAGS_allocator_strategy=auto_growth");
            case ONNX_RUNTIME -> own("ort-arena", "arena_extend_strategy=kSameAsRequested");
            case LLAMA_CPP_CUDA, LLAMA_CPP_ROCM -> own("llama-layers", "--n-gpu-layers N");
            case VLLM -> vllm(e);
            case MINDSPORE_ASCEND, MINDSPORE_GPU ->
                own("mindspore-memory", "mindspore.set_context(max_device_memory=\"SIZE\")");
            case PYTORCH_CUDA_MALLOC_ASYNC -> AllocatorRemedies.nativeBackend(e);
            default -> Optional.empty();
        };
    }

    /** Loading with fewer processes and without pinned copies. */
    static Optional<Remedy> hostWorkers(Evidence e) {
        return own("host-workers", "DataLoader(…, num_workers=2, pin_memory=False)");
    }

    /** A larger share of the host. */
    static Optional<Remedy> hostLimit(Evidence e) {
        return own("host-limit", "sbatch --mem=SIZE");
    }

    /** Nothing left for the cache: a larger share; no room for the share: a smaller one. */
    private static Optional<Remedy> vllm(Evidence e) {
        String text = e.report().text();
        boolean noCache = text.startsWith("No available memory") || text.contains("KV cache is needed");
        return noCache
                ? own("vllm-cache", "--gpu-memory-utilization 0.95")
                : own("vllm-utilisation", "--gpu-memory-utilization 0.85");
    }

    private static Optional<Remedy> unless(Evidence e, Setting on, String id, String command) {
        return e.isOn(on) ? Optional.empty() : own(id, command);
    }

    private static Optional<Remedy> own(String id, String command) {
        return Optional.of(Remedy.manual(id, Optional.of(command), Remedy.whyOf(id)));
    }
}
