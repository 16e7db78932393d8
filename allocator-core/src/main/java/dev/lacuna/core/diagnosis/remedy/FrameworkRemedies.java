package dev.lacuna.core.diagnosis.remedy;

import dev.lacuna.core.diagnosis.model.DeviceKind;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.Framework.Family;
import dev.lacuna.core.diagnosis.oom.model.Setting;
import dev.lacuna.core.diagnosis.oom.model.Trait;
import dev.lacuna.core.diagnosis.rule.ReservationNote;
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
                isReservation(e)
                        ? own("tf-growth", "TF_FORCE_GPU_ALLOW_GROWTH=true")
                        : e.device() == DeviceKind.NVIDIA
                                        && !e.surroundings().show(Trait.WITHOUT_ASYNC)
                                        && e.request().largestAsked() < ONE_TENSOR
                                ? unless(e, Setting.TF_ASYNC, "tf-async", "TF_GPU_ALLOCATOR=cuda_malloc_async")
                                : Optional.empty();
            case PADDLE ->
                takesAShareAtOnce(e)
                        ? unless(e, Setting.PADDLE_GROWTH, "paddle-growth", "FLAGS_allocator_strategy=auto_growth")
                        : Optional.empty();
            case ONNX_RUNTIME -> own("ort-arena", "arena_extend_strategy=kSameAsRequested");
            case LLAMA_CPP_CUDA, LLAMA_CPP_ROCM -> llamaLayers(e);
            case MINDSPORE_ASCEND, MINDSPORE_GPU ->
                own("mindspore-memory", "mindspore.set_context(max_device_memory=\"SIZE\")");
            case PYTORCH_CUDA_MALLOC_ASYNC -> AllocatorRemedies.nativeBackend(e);
            default ->
                e.report().library().filter("llama.cpp"::equals).isPresent()
                                && !e.report().isOfHost()
                                && !e.claims(Claim.LIMIT)
                        ? llamaLayers(e)
                        : Optional.empty();
        };
    }

    /** Fewer layers of a model on the device: for what is computed in only where the log tells of layers, or names the option. */
    private static Optional<Remedy> llamaLayers(Evidence e) {
        boolean named = e.report().context().says("n-gpu-layers")
                || e.report().context().says("layers to GPU");
        return e.surroundings().show(Trait.COMPUTE_BUFFER) && !named
                ? Optional.empty()
                : own(
                        "llama-layers",
                        e.surroundings().show(Trait.OLLAMA)
                                ? "PARAMETER num_gpu N"
                                : CallForm.of(e, "--n-gpu-layers N"));
    }

    /** Whether TensorFlow noted that its pool could not be reserved as large as it wanted: no work is in that size. */
    static boolean isReservation(Evidence e) {
        return ReservationNote.holds(e);
    }

    /** The same but for XLA's, which gives one large request no more room. */
    static Optional<Remedy> ownSettingForSmall(Evidence e) {
        boolean large = e.report().framework() == Framework.JAX_XLA && e.tried().orElse(0) >= LARGE;
        boolean tensor = !isReservation(e)
                && e.report().framework() == Framework.TENSORFLOW
                && e.request().largestAsked() >= LARGE;
        boolean unmeasured = e.report().framework().family() == Family.MINDSPORE
                && e.report().amounts().isEmpty();
        return large || tensor || unmeasured ? Optional.empty() : ownSetting(e);
    }

    private static final long LARGE = 1L << 30;

    /** No allocator finds room for one tensor of this size on most cards. */
    private static final long ONE_TENSOR = 16L << 30;

    /** XLA's pool never grows beyond its share, whether it was taken at the start or not. */
    static Optional<Remedy> poolShare(Evidence e) {
        boolean capped = e.report().framework() == Framework.JAX_XLA
                && e.device() != DeviceKind.TPU
                && !e.surroundings().show(Trait.TORCH_XLA);
        if (!capped || e.isOn(Setting.XLA_FRACTION)) {
            return Optional.empty();
        }
        String told = e.surroundings().show(Trait.JAX) ? "" : ".if"; // Other programs compile with XLA, too.
        return Optional.of(Remedy.manual(
                "xla-fraction",
                Optional.of("XLA_PYTHON_CLIENT_MEM_FRACTION=0.95"),
                Text.of("remedy.xla-fraction.why" + told)));
    }

    /** The same before smaller work, unless so much is asked for that few devices have it. */
    static Optional<Remedy> poolShareFirst(Evidence e) {
        return e.tried().orElse(0) >= HUGE ? Optional.empty() : poolShare(e);
    }

    private static final long HUGE = 32L << 30;

    /** Paddle's pool grows with need unless it is told otherwise; its first allocator could not. */
    private static boolean takesAShareAtOnce(Evidence e) {
        boolean first = e.report().text().contains("legacy_allocator");
        return !first
                && e.report().context().lines().stream()
                        .anyMatch(line ->
                                line.contains("naive_best_fit") || line.contains("fraction_of_gpu_memory_to_use"));
    }

    /** Intel's driver caps a single buffer unless it is told otherwise. */
    static Optional<Remedy> largeAllocations(Evidence e) {
        boolean own = e.report().library().filter("openvino"::equals).isPresent()
                && !e.surroundings().show(Trait.LLAMA_CPP); // Which makes the call itself.
        return own
                ? own(
                        "openvino-large",
                        "core.compile_model(model, \"GPU\", {\"GPU_ENABLE_LARGE_ALLOCATIONS\": \"YES\"})")
                : Optional.empty();
    }

    /** Building an engine tries ways that want room of their own; a limit leaves those out. */
    static Optional<Remedy> engineWorkspace(Evidence e) {
        return e.origin().buildsEngine() && !e.origin().writesWeights()
                ? own("engine-workspace", "trtexec --memPoolSize=workspace:MIB …")
                : Optional.empty();
    }

    private static Optional<Remedy> unless(Evidence e, Setting on, String id, String command) {
        return e.isOn(on) ? Optional.empty() : own(id, command);
    }

    private static Optional<Remedy> own(String id, String command) {
        return Optional.of(Remedy.manual(id, Optional.of(command), Remedy.whyOf(id)));
    }
}
