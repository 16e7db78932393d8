package dev.lacuna.core.oom;

import java.util.List;
import java.util.Optional;

/**
 * Failures of CUDA itself or of a library above it (BLAS, DNN, NCCL), which carry no figures: {@code cuda runtime error
 * (2) : out of memory} (Torch7, PyTorch until 0.4), {@code CUDA error: out of memory}, {@code
 * CUBLAS_STATUS_ALLOC_FAILED}, {@code Cuda failure 2 'out of memory'}; and PyTorch's own message when it was cut.
 */
final class CudaFailureGrammar implements OomGrammar {
    private static final String RUNTIME = "cudaruntimeerror(2):outofmemory";
    private static final String CHECK = "thcudacheckfail";
    private static final String CUT = "error:cudaoutofmemory.";
    private static final int NEAR = 300;
    private static final List<String> LIBRARY = List.of(
            "cublas_status_alloc_failed",
            "cudnn_status_alloc_failed",
            "hipblas_status_alloc_failed",
            "cudafailure2'outofmemory'",
            "cudafailure'outofmemory'",
            "hipfailure2'outofmemory'");

    @Override
    public List<String> anchors() {
        return List.of(
                CHECK,
                RUNTIME,
                CUT,
                "cudaerror:outofmemory",
                "hiperror:outofmemory",
                LIBRARY.get(0),
                LIBRARY.get(1),
                LIBRARY.get(2),
                LIBRARY.get(3),
                LIBRARY.get(4),
                LIBRARY.get(5));
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        String lower = passage.lower();
        if (lower.startsWith(CUT, anchor)) {
            return cut(lower, anchor);
        }
        if (lower.startsWith(CHECK, anchor)) {
            return check(lower, anchor);
        }
        String around = around(lower, anchor);
        int end = endOfWord(lower, anchor);
        ReportDraft draft = new ReportDraft(speaker(lower, anchor, around), anchor).upTo(end);
        return Optional.of(draft.claims(Claim.OUTSIDE_ALLOCATION));
    }

    /** PyTorch's sentence with nothing behind it. */
    private static Optional<ReportDraft> cut(String lower, int anchor) {
        int end = anchor + CUT.length();
        if (lower.startsWith("triedto", end) || lower.startsWith("allocationwas", end)) {
            return Optional.empty();
        }
        return Optional.of(new ReportDraft(Framework.PYTORCH_CUDA, anchor + "error:".length()).upTo(end));
    }

    /** The THC library prints where it failed, then raises: one failure. */
    private static Optional<ReportDraft> check(String lower, int anchor) {
        String rest = lower.substring(anchor, Math.min(lower.length(), anchor + 2 * NEAR));
        int code = rest.indexOf("error=2:outofmemory");
        int raised = rest.indexOf(RUNTIME);
        int last = Math.max(code < 0 ? -1 : code + 19, raised < 0 ? -1 : raised + RUNTIME.length());
        if (last < 0) {
            return Optional.empty();
        }
        Framework framework = isTorch7(around(lower, anchor)) ? Framework.TORCH7 : Framework.PYTORCH_CUDA;
        return Optional.of(
                new ReportDraft(framework, anchor).upTo(anchor + last).claims(Claim.OUTSIDE_ALLOCATION));
    }

    private static Framework speaker(String lower, int anchor, String around) {
        if (lower.startsWith("hip", anchor)) {
            return Framework.PYTORCH_ROCM;
        }
        if (around.contains("ggml")) {
            return around.contains("rocm") ? Framework.LLAMA_CPP_ROCM : Framework.LLAMA_CPP_CUDA;
        }
        if (around.contains("tensorflow/") || around.contains("failedtocreatecublashandle")) {
            return around.contains("jaxlib") ? Framework.JAX_XLA : Framework.TENSORFLOW;
        }
        if (around.contains("jaxlib") || around.contains("xla_extension") || around.contains("xlaruntimeerror")) {
            return Framework.JAX_XLA;
        }
        if (around.contains("onnxruntime")) {
            return Framework.ONNX_RUNTIME;
        }
        if (around.contains("paddle/")) {
            return Framework.PADDLE;
        }
        return isTorch7(around) ? Framework.TORCH7 : Framework.PYTORCH_CUDA;
    }

    private static boolean isTorch7(String around) {
        return around.contains("cutorch") || around.contains("luajit") || around.contains("/torch/install/");
    }

    private static String around(String lower, int anchor) {
        return lower.substring(Math.max(0, anchor - NEAR), Math.min(lower.length(), anchor + NEAR));
    }

    private int endOfWord(String lower, int anchor) {
        return anchors().stream()
                .filter(a -> lower.startsWith(a, anchor))
                .mapToInt(a -> anchor + a.length())
                .max()
                .orElse(anchor + 1);
    }
}
