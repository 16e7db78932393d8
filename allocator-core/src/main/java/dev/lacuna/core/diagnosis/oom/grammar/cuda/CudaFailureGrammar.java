package dev.lacuna.core.diagnosis.oom.grammar.cuda;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import dev.lacuna.core.diagnosis.oom.passage.Cursor;
import dev.lacuna.core.diagnosis.oom.passage.LookBack;
import dev.lacuna.core.diagnosis.oom.passage.OomGrammar;
import dev.lacuna.core.diagnosis.oom.passage.Passage;
import dev.lacuna.core.diagnosis.oom.passage.Prose;
import dev.lacuna.core.diagnosis.oom.passage.ReportDraft;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Failures of CUDA itself or of a library above it (BLAS, DNN, NCCL), which carry no figures: {@code cuda runtime error
 * (2) : out of memory} (Torch7, PyTorch until 0.4), {@code CUDA error: out of memory}, {@code
 * CUBLAS_STATUS_ALLOC_FAILED}, {@code Cuda failure 2 'out of memory'}; and PyTorch's own message when it was cut.
 */
public final class CudaFailureGrammar implements OomGrammar {
    private static final String ORT = "cudafailure2:outofmemory";
    /** The allocator asks NVML for its message's figures; where NVML cannot be asked (Jetson, a slice, a container), the check is all that is printed. */
    private static final String NVML = "nvml_success==rinternalassertfailed";

    private static final String RUNTIME = "cudaruntimeerror(2):outofmemory";
    private static final String CHECK = "thcudacheckfail";
    private static final List<String> CUT =
            List.of("error:cudaoutofmemory", "error:hipoutofmemory", "error:npuoutofmemory", "error:xpuoutofmemory");
    /** PyTorch's class with nothing behind it, at the end of a traceback or as a program's report names it. */
    private static final List<String> BARE = List.of("torch.outofmemoryerror", "torch.cuda.outofmemoryerror");

    /** The same over a notebook's traceback, of which the end was not pasted. */
    private static final String NOTEBOOK = "outofmemoryerrortraceback(mostrecentcalllast)";

    private static final int NEAR = 300;
    private static final int TRACEBACK = 1200;
    private static final int STATUS_REACH = 48;
    private static final int MAX_CLASS_NAME = 48;
    private static final List<String> STATUS =
            List.of("cublas_status_alloc_failed", "cudnn_status_alloc_failed", "hipblas_status_alloc_failed");

    /** Errors of the driver or runtime as frameworks print them: CUDA, HIP, Paddle, ONNX Runtime, MXNet, SYCL. */
    private static final List<String> ERRORS = List.of(
            "searchfor`cudaerrormemoryallocation'in",
            "searchfor`hiperroroutofmemory'in",
            "cudaerror:outofmemory",
            "hiperror:outofmemory",
            "rocmerror:outofmemory",
            "musaerror:outofmemory",
            NVML,
            "cudadrivererror:outofmemory",
            "cudaerror(2),outofmemory",
            "cudaerror2:outofmemory",
            ORT,
            "cudaruntime(outofmemory)",
            "cudamallocretryfailed:outofmemory",
            "paddlecheckerror:outofmemoryat[",
            "cuda_error_out_of_memory:outofmemory",
            "cuda_error_out_of_memory,\"outofmemory\"");

    private static final List<String> ANCHORS = Stream.of(List.of(CHECK, RUNTIME, NOTEBOOK), CUT, BARE, ERRORS, STATUS)
            .flatMap(List::stream)
            .toList();

    @Override
    public List<String> anchors() {
        return ANCHORS;
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        String lower = passage.lower();
        Optional<String> cut =
                CUT.stream().filter(c -> lower.startsWith(c, anchor)).findFirst();
        if (cut.isPresent()) {
            return cut(passage, anchor, cut.get());
        }
        if (BARE.stream().anyMatch(b -> lower.startsWith(b, anchor))) {
            return bare(passage, anchor);
        }
        if (lower.startsWith(NOTEBOOK, anchor)) {
            return passage.lineStart(anchor)
                    ? Optional.of(new ReportDraft(Framework.PYTORCH_CUDA, anchor).upTo(anchor + NOTEBOOK.length()))
                    : Optional.empty();
        }
        if (lower.startsWith(CHECK, anchor)) {
            return check(lower, anchor);
        }
        int end = endOfWord(lower, anchor);
        if (!isPrinted(passage, anchor, end)) {
            return Optional.empty();
        }
        String around = around(lower, anchor);
        ReportDraft draft = new ReportDraft(speaker(lower, anchor, around), anchor).upTo(end);
        device(new Cursor(passage, end), draft);
        forge(passage, anchor, draft);
        if (draft.framework() == Framework.OTHER) {
            library(lower, anchor, around).ifPresent(draft::by);
        }
        if (lower.startsWith(NVML, anchor)) {
            return Optional.of(draft); // The pool's own request failed.
        }
        return Optional.of(
                pins(lower, anchor)
                        ? draft.claims(Claim.HOST_MEMORY).claims(Claim.PINNED)
                        : draft.claims(Claim.OUTSIDE_ALLOCATION));
    }

    /** In the thread that pins batches, CUDA's error is about the host's memory: nothing else is asked for there. */
    private static boolean pins(String lower, int anchor) {
        return LookBack.to("pinmemorythread", lower, anchor, TRACEBACK) >= 0
                || LookBack.to("_utils/pin_memory.py", lower, anchor, TRACEBACK) >= 0;
    }

    /** PyTorch's sentence with nothing behind it, where an exception is printed: elsewhere people talk about it. */
    private static Optional<ReportDraft> cut(Passage passage, int anchor, String words) {
        String lower = passage.lower();
        int end = anchor + words.length();
        if (lower.startsWith(".", end)) {
            end++;
        }
        boolean ends = end >= lower.length() || passage.lineStart(end);
        int start = classStart(lower, anchor);
        boolean logged =
                start > 0 && lower.charAt(start - 1) == ']'; // Lines that were joined keep their loggers' heads.
        boolean raised = ends && (passage.lineStart(start) || logged);
        if (!raised) {
            return Optional.empty();
        }
        String device = words.substring("error:".length(), "error:".length() + 3);
        Framework framework = switch (device) {
            case "hip" -> Framework.PYTORCH_ROCM;
            case "npu" -> Framework.TORCH_NPU;
            case "xpu" -> Framework.PYTORCH_XPU;
            default -> Framework.PYTORCH_CUDA;
        };
        return Optional.of(new ReportDraft(framework, anchor + "error:".length()).upTo(end));
    }

    /** {@code torch.OutOfMemoryError} alone on its line, or behind a label; a handler and a sentence go on. */
    private static Optional<ReportDraft> bare(Passage passage, int anchor) {
        String lower = passage.lower();
        int end = endOfWord(lower, anchor);
        int after = lower.startsWith(":", end) ? end + 1 : end;
        boolean ends = after >= lower.length() || passage.lineStart(after);
        boolean labelled = anchor > 0 && (LABEL_ENDS.indexOf(lower.charAt(anchor - 1)) >= 0);
        return ends && (passage.lineStart(anchor) || labelled) && !Prose.surrounds(passage, anchor)
                ? Optional.of(new ReportDraft(Framework.PYTORCH_CUDA, anchor).upTo(end))
                : Optional.empty();
    }

    /** What stands between a label and its value. */
    private static final String LABEL_ENDS = ":*]>|";

    /** Where the name of the exception begins whose end stands here. */
    private static int classStart(String lower, int anchor) {
        int start = anchor;
        while (start > 0 && anchor - start < MAX_CLASS_NAME && isNamePart(lower.charAt(start - 1))) {
            start--;
        }
        return start;
    }

    private static boolean isNamePart(char c) {
        return c >= 'a' && c <= 'z' || c == '.' || c == '_';
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

    /** {@code Free GPU: 3232.70 MB, Model Require: 11350.07 MB, …}: what Forge says on the line on which loading then fails. */
    private static void forge(Passage passage, int anchor, ReportDraft draft) {
        int free = LookBack.to(FORGE, passage.lower(), anchor, NEAR);
        if (free < 0) {
            return;
        }
        Cursor cursor = new Cursor(passage, free + FORGE.length());
        if (cursor.size(draft, Quantity.FREE, Cursor.ALL_UNITS) && cursor.find("modelrequire:", 4)) {
            cursor.size(draft, Quantity.TRIED, Cursor.ALL_UNITS);
            draft.claims(Claim.NO_CACHE);
        }
    }

    private static final String FORGE = "freegpu:";

    /** llama.cpp: {@code current device: 0, in function}; ONNX Runtime: {@code ; GPU=0 ; hostname=}. */
    private static void device(Cursor cursor, ReportDraft draft) {
        String word = cursor.accept("currentdevice:") ? "device" : cursor.accept(";gpu=") ? "GPU" : "";
        OptionalLong number = word.isEmpty() ? OptionalLong.empty() : cursor.integer();
        if (number.isPresent()) {
            draft.on(word, number.getAsLong()).upTo(cursor.position());
        }
    }

    private static Framework speaker(String lower, int anchor, String around) {
        if (lower.startsWith("hip", anchor) || lower.startsWith("searchfor`hip", anchor)) {
            return Framework.PYTORCH_ROCM;
        }
        if (lower.startsWith(ORT, anchor)) {
            return Framework.ONNX_RUNTIME;
        }
        if (lower.startsWith("rocm", anchor)) {
            return Framework.LLAMA_CPP_ROCM;
        }
        if (lower.startsWith("musa", anchor) || isCntk(around)) {
            return Framework.OTHER;
        }
        if (lower.startsWith("cudaruntime(", anchor) || lower.startsWith("cudamallocretry", anchor)) {
            return Framework.OTHER; // TensorRT, MXNet
        }
        if (around.contains("ggml") || around.contains("llamarunner")) {
            boolean amd = around.contains("rocm") || around.contains("hipmalloc(");
            return amd ? Framework.LLAMA_CPP_ROCM : Framework.LLAMA_CPP_CUDA;
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
        if (around.contains("paddle/")
                || lower.startsWith("paddle", anchor)
                || lower.startsWith("cudaerror(2)", anchor)) {
            return Framework.PADDLE;
        }
        if (isTorch7(around)) {
            return Framework.TORCH7;
        }
        return isAnothers(lower, anchor, around) ? Framework.OTHER : Framework.PYTORCH_CUDA;
    }

    /** Who prints CUDA's words, where that can be told. */
    private static Optional<String> library(String lower, int anchor, String around) {
        if (lower.startsWith("cudaruntime(", anchor)) {
            return Optional.of("tensorrt");
        }
        if (lower.startsWith("cudamallocretry", anchor)) {
            return Optional.of("mxnet");
        }
        if (lower.startsWith("musa", anchor)) {
            return Optional.of(around.contains("ggml") ? "llama.cpp" : "torch_musa");
        }
        if (isCntk(around)) {
            return Optional.of("cntk");
        }
        return isCodec(around)
                ? Optional.of("nvenc")
                : Stream.of("catboost", "darknet").filter(around::contains).findFirst();
    }

    /**
     * Programs in C++ and Julia print CUDA's words too, with a place in their source or the number of the error behind
     * them; PyTorch's come as a Python exception, and its paths stand around.
     */
    private static boolean isAnothers(String lower, int anchor, String around) {
        boolean torch = around.contains("torch") || around.contains("c10::") || around.contains("at::");
        if (torch) {
            return false;
        }
        String before = lower.substring(Math.max(0, anchor - 24), anchor);
        String after = lower.substring(anchor, Math.min(lower.length(), anchor + NEAR / 2));
        boolean counted = before.endsWith("failure3:"); // CNTK's and ONNX Runtime's own check.
        boolean rust = before.endsWith("drivererror(");
        boolean darknet = around.contains("dark_cuda.c") || around.contains("darknet:");
        boolean named = before.endsWith("runtimeerror:") || before.endsWith("acceleratorerror:");
        boolean julia = before.endsWith("loaderror:") || around.contains(".jl:") || after.contains("(code#2,");
        boolean source = after.contains(".cc:")
                || after.contains(".cu:")
                || after.contains(".cpp:")
                || before.contains(".cc:")
                || before.contains(".cu:")
                || before.contains(".cpp:")
                || before.contains(".h:");
        return counted || rust || darknet || isCodec(around) || julia || !named && source;
    }

    /** CNTK's check, which ONNX Runtime took over. */
    private static boolean isCntk(String around) {
        return around.contains(";hostname=") && around.contains(";expr=") && !around.contains("onnxruntime");
    }

    /** NVIDIA's encoder and decoder under ffmpeg and its like. */
    private static boolean isCodec(String around) {
        return around.contains("cuvid") || around.contains("nvenc") || around.contains("nvdec");
    }

    private static boolean isTorch7(String around) {
        return around.contains("cutorch") || around.contains("luajit") || around.contains("/torch/install/");
    }

    private static String around(String lower, int anchor) {
        return lower.substring(Math.max(0, anchor - NEAR), Math.min(lower.length(), anchor + NEAR));
    }

    /** Whether this is a failure's print and not a constant's definition or talk about the error. */
    private static boolean isPrinted(Passage passage, int anchor, int end) {
        String lower = passage.lower();
        if (lower.startsWith(RUNTIME, anchor)) {
            return lower.startsWith("at", end) || end >= lower.length() || passage.lineStart(end);
        }
        if (!STATUS.contains(lower.substring(anchor, end))) {
            return true;
        }
        boolean defined = end < lower.length() && "=:".indexOf(lower.charAt(end)) >= 0;
        String before = lower.substring(Math.max(0, anchor - STATUS_REACH), anchor);
        return !defined && (before.contains("error") || before.contains("fail") || before.contains("handle"));
    }

    private static int endOfWord(String lower, int anchor) {
        return ANCHORS.stream()
                .filter(a -> lower.startsWith(a, anchor))
                .mapToInt(a -> anchor + a.length())
                .max()
                .orElse(anchor + 1);
    }
}
