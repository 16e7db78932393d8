package dev.lacuna.core.diagnosis.oom.grammar.llamacpp;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import dev.lacuna.core.diagnosis.oom.passage.Cursor;
import dev.lacuna.core.diagnosis.oom.passage.LookBack;
import dev.lacuna.core.diagnosis.oom.passage.OomGrammar;
import dev.lacuna.core.diagnosis.oom.passage.Passage;
import dev.lacuna.core.diagnosis.oom.passage.ReportDraft;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * llama.cpp: {@code allocating 9866.00 MiB on device 1: cudaMalloc failed: out of memory}, then the buffer that was to be
 * placed there, whose name tells CUDA from ROCm. Vulkan and Metal, which have no framework name of their own in reports,
 * are told as others.
 */
public final class LlamaCppGrammar implements OomGrammar {
    private static final String MALLOC = "cudamallocfailed:outofmemory";
    private static final String BACKEND = "ggml_backend_cuda_buffer_type_alloc_buffer:";
    private static final String RUNNER = "llamarunnerprocesshasterminated:";
    /** In structured logs. */
    private static final String FIELD = "error=\"";

    private static final String UNABLE = "unabletoallocate";
    private static final String FAILED = "failedtoallocate";
    private static final String VULKAN = "ggml_vulkan:devicememoryallocationofsize";
    private static final String TOO_LARGE = "requestedbuffersizeexceeds";
    private static final String HOST = "ggml_backend_cpu_buffer_type_alloc_buffer:";
    private static final String METAL = "ggml_backend_metal_buffer_type_alloc_buffer:error:";
    private static final String OLD_ERROR = "cudaerror2at";
    private static final String SOURCE = "ggml-cuda.cu:";
    private static final String CACHE = "failedtoallocatebufferforkvcache";
    private static final String RETRIES = "computebufferallocationfailed,retrying";
    private static final int LONGEST_PATH = 240;
    private static final int NEXT_LINES = 240;

    @Override
    public List<String> anchors() {
        return List.of(MALLOC, VULKAN, UNABLE, FAILED, OLD_ERROR);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        if (cursor.at(MALLOC)) {
            return malloc(passage, anchor);
        }
        if (cursor.accept(VULKAN)) {
            return vulkan(cursor, new ReportDraft(Framework.OTHER, anchor).by("llama.cpp"));
        }
        if (cursor.accept(OLD_ERROR)) {
            ReportDraft draft = new ReportDraft(Framework.LLAMA_CPP_CUDA, anchor);
            return cursor.find(SOURCE, LONGEST_PATH) && cursor.integer().isPresent() && cursor.accept(":outofmemory")
                    ? Optional.of(draft.upTo(cursor.position()))
                    : Optional.empty();
        }
        return buffer(passage, anchor);
    }

    /** The next lines say whether one buffer was too large for the driver, and which buffer it was. */
    private static Optional<ReportDraft> vulkan(Cursor cursor, ReportDraft draft) {
        if (!cursor.bytes(draft, Quantity.TRIED) || !cursor.find("failed", 2)) {
            return Optional.empty();
        }
        draft.upTo(cursor.position());
        if (cursor.find(TOO_LARGE, NEXT_LINES / 4)) {
            draft.claims(Claim.LIMIT).upTo(cursor.position());
        }
        if (cursor.find(FAILED + "vulkan", NEXT_LINES) && cursor.find("bufferofsize", 4)) {
            cursor.integer();
            draft.upTo(cursor.position());
        }
        return Optional.of(draft);
    }

    private static Optional<ReportDraft> malloc(Passage passage, int anchor) {
        String lower = passage.lower();
        int backend = LookBack.to(BACKEND, lower, anchor, 120);
        if (backend < 0) {
            // Ollama hands on the last words of its runner.
            int runner = LookBack.to(RUNNER, lower, anchor, RUNNER.length());
            if (runner < 0) {
                return Optional.empty();
            }
            boolean field = runner >= FIELD.length() && lower.startsWith(FIELD, runner - FIELD.length());
            int start = field ? runner - FIELD.length() : runner; // Its quotation marks are no prose's.
            return Optional.of(new ReportDraft(Framework.LLAMA_CPP_CUDA, start).upTo(anchor + MALLOC.length()));
        }
        String next = lower.substring(anchor, Math.min(lower.length(), anchor + NEXT_LINES));
        int named = Math.max(next.indexOf(FAILED + "rocm"), next.indexOf(UNABLE + "rocm"));
        ReportDraft draft = new ReportDraft(named >= 0 ? Framework.LLAMA_CPP_ROCM : Framework.LLAMA_CPP_CUDA, backend);
        Cursor cursor = new Cursor(passage, backend + BACKEND.length());
        if (cursor.accept("allocating")
                && cursor.size(draft, Quantity.TRIED, Cursor.LONG_UNITS)
                && cursor.accept("ondevice")) {
            OptionalLong device = cursor.integer();
            device.ifPresent(n -> draft.on("device", n));
        }
        draft.upTo(anchor + MALLOC.length());
        cursor.moveTo(anchor + MALLOC.length());
        if (next.contains("failedtoallocatecuda") || named >= 0) {
            cursor.find("bufferofsize", NEXT_LINES);
            cursor.integer();
            draft.upTo(cursor.position());
        }
        int cache = next.indexOf(CACHE);
        if (cache >= 0 && next.lastIndexOf(MALLOC, cache) == 0) {
            draft.upTo(anchor + cache + CACHE.length()); // The next line says which buffer it was.
        }
        if (cursor.find(RETRIES, NEXT_LINES) || asksAgain(passage, anchor)) {
            draft.claims(Claim.NOT_A_FAILURE); // It plans again: without copies for a pipeline, or with fewer layers.
        }
        return Optional.of(draft);
    }

    /** Ollama's runner is asked to load fewer layers, until so many fit or none are left. */
    private static boolean asksAgain(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        return cursor.find(ASKED, NEXT_LINES) && cursor.acceptAny(OPERATIONS);
    }

    private static final String ASKED = "msg=loadrequest=\"{operation:";

    /** What it is asked for where it has not given up. */
    private static final List<String> OPERATIONS = List.of("fit", "alloc", "commit");

    /** {@code unable to allocate CUDA0 buffer}, {@code failed to allocate ROCm0 buffer of size 14822711296}. */
    private static Optional<ReportDraft> buffer(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        if (!cursor.accept(UNABLE)) {
            cursor.accept(FAILED);
        }
        if (cursor.at("buffer,size=")) {
            return metal(passage, anchor);
        }
        if (cursor.accept("bufferofsize")) {
            return onHost(passage, anchor, cursor);
        }
        boolean rocm = cursor.accept("rocm");
        boolean vulkan = !rocm && cursor.accept("vulkan");
        if (!rocm && !vulkan && !cursor.accept("cuda")) {
            return Optional.empty();
        }
        OptionalLong device = cursor.integer();
        if (device.isEmpty() || !cursor.accept("buffer")) {
            return Optional.empty();
        }
        Framework framework = rocm ? Framework.LLAMA_CPP_ROCM : Framework.LLAMA_CPP_CUDA;
        ReportDraft draft = new ReportDraft(vulkan ? Framework.OTHER : framework, anchor)
                .on("device", device.getAsLong())
                .by(vulkan ? "llama.cpp" : "")
                .upTo(cursor.position());
        if (cursor.accept("ofsize")) {
            cursor.bytes(draft, Quantity.TRIED);
        }
        return Optional.of(draft);
    }

    /** {@code ggml_backend_cpu_buffer_type_alloc_buffer: failed to allocate buffer of size 137438953504}. */
    private static Optional<ReportDraft> onHost(Passage passage, int anchor, Cursor cursor) {
        int start = LookBack.to(HOST, passage.lower(), anchor, HOST.length());
        ReportDraft draft = new ReportDraft(Framework.OTHER, Math.max(0, start))
                .claims(Claim.HOST_MEMORY)
                .by("llama.cpp");
        if (start < 0 || !cursor.bytes(draft, Quantity.TRIED)) {
            return Optional.empty();
        }
        draft.upTo(cursor.position());
        if (cursor.find(CACHE, NEXT_LINES)) {
            draft.upTo(cursor.position()); // The next line says which buffer it was.
        }
        return Optional.of(draft);
    }

    /** {@code ggml_backend_metal_buffer_type_alloc_buffer: error: failed to allocate buffer, size = 9216.00 MiB}. */
    private static Optional<ReportDraft> metal(Passage passage, int anchor) {
        int start = LookBack.to(METAL, passage.lower(), anchor, METAL.length());
        Cursor cursor = new Cursor(passage, anchor + FAILED.length() + "buffer,size=".length());
        ReportDraft draft = new ReportDraft(Framework.OTHER, Math.max(0, start)).by("llama.cpp");
        return start >= 0 && cursor.size(draft, Quantity.TRIED, Cursor.LONG_UNITS)
                ? Optional.of(draft)
                : Optional.empty();
    }
}
