package dev.lacuna.core.diagnosis.remedy;

import dev.lacuna.core.diagnosis.model.DeviceKind;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.oom.model.Setting;
import dev.lacuna.core.diagnosis.oom.model.Trait;
import java.util.Optional;

/** Settings that only one framework has for the purpose. */
final class FrameworkRemedies {
    private FrameworkRemedies() {}

    /** The setting of this framework, where it is not PyTorch's caching allocator. */
    static Optional<Remedy> ownSetting(Evidence e) {
        return switch (e.report().framework()) {
            case JAX_XLA ->
                e.device() == DeviceKind.TPU
                        ? Optional.empty()
                        : unless(
                                e,
                                Setting.XLA_NO_PREALLOCATION,
                                "xla-preallocate",
                                "XLA_PYTHON_CLIENT_PREALLOCATE=false");
            case TENSORFLOW ->
                e.device() == DeviceKind.NVIDIA && !e.surroundings().show(Trait.TENSORFLOW_1)
                        ? unless(e, Setting.TF_ASYNC, "tf-async", "TF_GPU_ALLOCATOR=cuda_malloc_async")
                        : Optional.empty();
            case PADDLE ->
                takesAShareAtOnce(e)
                        ? unless(e, Setting.PADDLE_GROWTH, "paddle-growth", "FLAGS_allocator_strategy=auto_growth")
                        : Optional.empty();
            case ONNX_RUNTIME -> own("ort-arena", "arena_extend_strategy=kSameAsRequested");
            case LLAMA_CPP_CUDA, LLAMA_CPP_ROCM ->
                e.surroundings().show(Trait.COMPUTE_BUFFER)
                        ? Optional.empty()
                        : own(
                                "llama-layers",
                                e.surroundings().show(Trait.OLLAMA)
                                        ? "PARAMETER num_gpu N"
                                        : CallForm.of(e, "--n-gpu-layers N"));
            case MINDSPORE_ASCEND, MINDSPORE_GPU ->
                own("mindspore-memory", "mindspore.set_context(max_device_memory=\"SIZE\")");
            case PYTORCH_CUDA_MALLOC_ASYNC -> AllocatorRemedies.nativeBackend(e);
            default -> Optional.empty();
        };
    }

    /** Paddle's pool grows with need unless it is told otherwise. */
    private static boolean takesAShareAtOnce(Evidence e) {
        return e.report().context().lines().stream()
                .anyMatch(line -> line.contains("naive_best_fit") || line.contains("fraction_of_gpu_memory_to_use"));
    }

    /** Intel's driver caps a single buffer unless it is told otherwise. */
    static Optional<Remedy> largeAllocations(Evidence e) {
        return e.report().library().filter("openvino"::equals).isPresent()
                ? own(
                        "openvino-large",
                        "core.compile_model(model, \"GPU\", {\"GPU_ENABLE_LARGE_ALLOCATIONS\": \"YES\"})")
                : Optional.empty();
    }

    /** Building an engine tries ways that want room of their own; a limit leaves those out. */
    static Optional<Remedy> engineWorkspace(Evidence e) {
        return e.buildsEngine() ? own("engine-workspace", "trtexec --memPoolSize=workspace:MIB …") : Optional.empty();
    }

    private static Optional<Remedy> unless(Evidence e, Setting on, String id, String command) {
        return e.isOn(on) ? Optional.empty() : own(id, command);
    }

    private static Optional<Remedy> own(String id, String command) {
        return Optional.of(Remedy.manual(id, Optional.of(command), Remedy.whyOf(id)));
    }
}
