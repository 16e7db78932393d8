package dev.lacuna.core.oom;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * llama.cpp: {@code allocating 9866.00 MiB on device 1: cudaMalloc failed: out of memory}, then the buffer that was to be
 * placed there, whose name tells CUDA from ROCm.
 */
final class LlamaCppGrammar implements OomGrammar {
    private static final String MALLOC = "cudamallocfailed:outofmemory";
    private static final String BACKEND = "ggml_backend_cuda_buffer_type_alloc_buffer:";
    private static final String UNABLE = "unabletoallocate";
    private static final String FAILED = "failedtoallocate";
    private static final int NEXT_LINES = 240;

    @Override
    public List<String> anchors() {
        return List.of(MALLOC, UNABLE, FAILED);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        return passage.lower().startsWith(MALLOC, anchor) ? malloc(passage, anchor) : buffer(passage, anchor);
    }

    private static Optional<ReportDraft> malloc(Passage passage, int anchor) {
        String lower = passage.lower();
        int backend = LookBack.to(BACKEND, lower, anchor, 120);
        if (backend < 0) {
            return Optional.empty();
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
        return Optional.of(draft);
    }

    /** {@code unable to allocate CUDA0 buffer}, {@code failed to allocate ROCm0 buffer of size 14822711296}. */
    private static Optional<ReportDraft> buffer(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        if (!cursor.accept(UNABLE)) {
            cursor.accept(FAILED);
        }
        boolean rocm = cursor.accept("rocm");
        if (!rocm && !cursor.accept("cuda")) {
            return Optional.empty();
        }
        OptionalLong device = cursor.integer();
        if (device.isEmpty() || !cursor.accept("buffer")) {
            return Optional.empty();
        }
        ReportDraft draft = new ReportDraft(rocm ? Framework.LLAMA_CPP_ROCM : Framework.LLAMA_CPP_CUDA, anchor)
                .on("device", device.getAsLong())
                .upTo(cursor.position());
        if (cursor.accept("ofsize")) {
            cursor.bytes(draft, Quantity.TRIED);
        }
        return Optional.of(draft);
    }
}
