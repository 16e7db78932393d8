package dev.lacuna.core.diagnosis.model;

import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.core.diagnosis.oom.model.Surroundings;
import dev.lacuna.core.diagnosis.oom.model.Trait;
import java.util.Locale;

/** Whose device ran out, which decides what commands can look at it. */
public enum DeviceKind {
    NVIDIA,
    AMD,
    INTEL,
    ASCEND,
    APPLE,
    TPU,
    /** Memory of the host. */
    HOST,
    UNKNOWN;

    /** The kind that a message and the lines around it tell. */
    public static DeviceKind of(OomReport report, Surroundings around) {
        if (report.isOfHost()) {
            return HOST;
        }
        return switch (report.framework()) {
            case PYTORCH_CUDA, PYTORCH_CUDA_MALLOC_ASYNC, TORCH7, MINDSPORE_GPU -> NVIDIA;
            case LLAMA_CPP_CUDA -> around.show(Trait.GGML_ROCM) ? AMD : NVIDIA;
            case PYTORCH_ROCM, LLAMA_CPP_ROCM -> AMD;
            case PYTORCH_XPU, IPEX_XPU -> INTEL;
            case PYTORCH_MPS -> APPLE;
            case TORCH_NPU, ASCEND_RUNTIME -> ASCEND;
            case MINDSPORE_ASCEND -> ofMindSpore(report, around);
            case JAX_XLA -> xla(report, around);
            case TENSORFLOW, PADDLE -> plugged(report, around);
            case VLLM, ONNX_RUNTIME, OTHER -> told(report, around);
        };
    }

    /** What it says of a kernel's memory is the same on GPUs. */
    private static DeviceKind ofMindSpore(OomReport report, Surroundings around) {
        boolean unsaid = report.text().contains("for kernel") && report.device().isEmpty();
        return !unsaid || around.show(Trait.ASCEND) ? ASCEND : around.show(Trait.NVIDIA) ? NVIDIA : UNKNOWN;
    }

    /** By the word before the device's number, where a plug-in gives another than GPU. */
    private static DeviceKind plugged(OomReport report, Surroundings around) {
        String device = report.device().orElse("GPU").toUpperCase(Locale.ROOT);
        if (device.startsWith("GPU")) {
            return around.show(Trait.ROCM) ? AMD : NVIDIA;
        }
        if (device.startsWith("XPU")) {
            return report.framework() == Framework.TENSORFLOW ? INTEL : UNKNOWN; // Paddle's are Kunlun's.
        }
        return device.startsWith("NPU") ? ASCEND : device.startsWith("TPU") ? TPU : UNKNOWN;
    }

    private static DeviceKind xla(OomReport report, Surroundings around) {
        String text = report.text();
        boolean tpu = around.show(Trait.TPU)
                || around.show(Trait.TORCH_XLA)
                || text.contains("hbm")
                || text.contains("HBM")
                || text.startsWith("Attempting to");
        if (tpu) {
            return TPU;
        }
        return around.show(Trait.ROCM) ? AMD : NVIDIA;
    }

    private static DeviceKind told(OomReport report, Surroundings around) {
        String library = report.library().orElse("");
        if (library.equals("level-zero") || around.show(Trait.INTEL)) {
            return INTEL;
        }
        if (around.show(Trait.ASCEND)) {
            return ASCEND;
        }
        if (around.show(Trait.ROCM)) {
            return AMD;
        }
        if (report.device().filter("Metal"::equals).isPresent()) {
            return APPLE;
        }
        return switch (library) {
            case "cuda",
                    "cupy",
                    "rmm",
                    "thrust",
                    "ctranslate2",
                    "tensorrt",
                    "tensorrt-llm",
                    "sglang",
                    "lmdeploy",
                    "faiss",
                    "dali",
                    "theano",
                    "caffe",
                    "catboost",
                    "xgboost",
                    "numba",
                    "pycuda",
                    "nvenc",
                    "opencv",
                    "cuda.jl" -> NVIDIA;
            case "openvino" -> INTEL;
            case "mindie" -> ASCEND;
            default -> around.show(Trait.NVIDIA) || report.text().startsWith("CU") ? NVIDIA : UNKNOWN;
        };
    }
}
