package dev.lacuna.core.diagnosis.oom.grammar.host;

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

/**
 * A process asked the host for memory and got none: NumPy, Python, C++, PyTorch's CPU allocators, oneDNN, Rust, Julia,
 * Windows' paging file, memory pinned for transfers. What a device's library throws under the same names is its own.
 */
public final class HostAllocationGrammar implements OomGrammar {
    private static final String RUST = "memoryallocationof";
    private static final String NUMPY = "unabletoallocate";
    private static final String MEMORY_ERROR = "memoryerror";
    private static final String ARROW = "arrow";
    private static final String NOTEBOOK = "traceback(mostrecentcalllast)";
    private static final String BAD_ALLOC = "std::bad_alloc";
    private static final String ERRNO = "cannotallocatememory";
    private static final String WINDOWS = "error1455";
    private static final String WINDOWS_RESOURCES = "[winerror8]";
    private static final String CPU_ALLOCATOR = "defaultcpuallocator:";
    private static final String TH = "$torch:notenoughmemory:youtriedto";
    private static final String JULIA = "outofmemoryerror()";
    private static final String GGML_ALIGNED = "ggml_aligned_malloc:insufficientmemory";
    private static final String GGML_CPU = "allocatecpubuffer";
    private static final String PANDAS = "cerror:outofmemory";
    private static final int NEAR = 240;

    /** Calls that pin memory of the host, and the words for failure of each. */
    private static final List<String> PINNED = List.of(
            "cudahostalloc", "cudamallochost", "cumemhostalloc", "aclrtmallochost", "rtmallochost", "hiphostmalloc");

    @Override
    public List<String> anchors() {
        return List.of(
                CPU_ALLOCATOR,
                TH,
                NUMPY,
                RUST,
                WINDOWS,
                WINDOWS_RESOURCES,
                GGML_ALIGNED,
                GGML_CPU,
                "cudahostalloc",
                "cudamallochost",
                "cumemhostalloc",
                "aclrtmallochost",
                "rtmallochost",
                "hiphostmalloc",
                PANDAS,
                ERRNO,
                BAD_ALLOC,
                MEMORY_ERROR,
                JULIA);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        ReportDraft draft = new ReportDraft(Framework.OTHER, anchor).claims(Claim.HOST_MEMORY);
        if (cursor.accept(CPU_ALLOCATOR)) {
            return cpuAllocator(cursor, draft.by("torch"));
        }
        if (cursor.accept(TH)) {
            return th(cursor, draft.by("torch"));
        }
        if (cursor.accept(NUMPY)) {
            return array(cursor, draft.by("numpy"));
        }
        if (cursor.accept(WINDOWS)) {
            return Optional.of(
                    draft.claims(Claim.PAGING_FILE).claims(Claim.LIMIT).upTo(cursor.position()));
        }
        if (cursor.accept(WINDOWS_RESOURCES)) {
            return Optional.of(draft.upTo(cursor.position()));
        }
        if (cursor.accept(GGML_ALIGNED)) {
            if (cursor.find("attemptedtoallocate", 4)) {
                cursor.size(draft, Quantity.TRIED, Cursor.LONG_UNITS);
            }
            return Optional.of(draft.by("llama.cpp").upTo(cursor.position()));
        }
        if (cursor.at(GGML_CPU)) {
            return ggmlBuffer(passage, anchor);
        }
        if (cursor.acceptAny(PINNED)) {
            return pinned(passage, cursor, draft);
        }
        if (cursor.accept(PANDAS)) {
            boolean parser = LookBack.to("tokenizingdata", passage.lower(), anchor, 32) >= 0;
            return given(draft.by("pandas").upTo(cursor.position()), parser);
        }
        if (cursor.accept(RUST)) {
            return rust(passage, cursor, draft.by("rust"));
        }
        return named(passage, cursor, draft);
    }

    private static Optional<ReportDraft> named(Passage passage, Cursor cursor, ReportDraft draft) {
        if (cursor.accept(ERRNO)) {
            return errno(passage, cursor, draft);
        }
        if (cursor.accept(BAD_ALLOC)) {
            return badAlloc(passage, cursor, draft);
        }
        if (cursor.accept(JULIA)) {
            return given(draft.by("julia").upTo(cursor.position()), raised(passage, draft.start()));
        }
        cursor.accept(MEMORY_ERROR);
        if (passage.lower().startsWith(ARROW, draft.start() - ARROW.length())) {
            int start = draft.start() - ARROW.length();
            ReportDraft arrow = new ReportDraft(Framework.OTHER, start).claims(Claim.HOST_MEMORY);
            return given(arrow.by("arrow").upTo(cursor.position()), raised(passage, start) && ends(passage, cursor));
        }
        String after =
                passage.lower().substring(cursor.position(), Math.min(passage.length(), cursor.position() + NEAR));
        boolean wraps = after.contains("c++traceback(mostrecentcalllast)"); // Paddle tells of its device behind it.
        cursor.accept(NOTEBOOK); // A header whose traceback's end was not pasted.
        boolean bare = raised(passage, draft.start()) && ends(passage, cursor) && !wraps;
        return given(draft.by("python").upTo(cursor.position()), bare);
    }

    /** {@code DefaultCPUAllocator: not enough memory: you tried to allocate 1207959552 bytes.}; titles elide the figure. */
    private static Optional<ReportDraft> cpuAllocator(Cursor cursor, ReportDraft draft) {
        boolean says = cursor.find("memory", 24);
        if (!says) {
            return Optional.empty();
        }
        draft.upTo(cursor.position());
        if (cursor.find("triedtoallocate", 16)) {
            draft.upTo(cursor.position());
            size(cursor, draft);
        }
        return Optional.of(draft);
    }

    /** {@code $ Torch: not enough memory: you tried to allocate 72GB. Buy new RAM!} */
    private static Optional<ReportDraft> th(Cursor cursor, ReportDraft draft) {
        boolean understood = cursor.acceptAny(List.of("allocate", "reallocate")) && size(cursor, draft);
        return given(draft.upTo(cursor.position()), understood);
    }

    /** NumPy 1.18 and later gives the size, 1.17 only the shape. */
    private static Optional<ReportDraft> array(Cursor cursor, ReportDraft draft) {
        if (cursor.accept("arraywithshape(")) {
            return Optional.of(draft.upTo(cursor.position()));
        }
        // Pasted from a terminal that a browser has translated, it lacks the article.
        return given(draft, size(cursor, draft) && (cursor.at("foranarray") || cursor.at("forarraywith")));
    }

    private static boolean size(Cursor cursor, ReportDraft draft) {
        return cursor.size(draft, Quantity.TRIED, Cursor.LONG_UNITS) || cursor.bytes(draft, Quantity.TRIED);
    }

    /** {@code OSError: [Errno 12] Cannot allocate memory}, {@code fork: Cannot allocate memory}; a file's mapping is the loader's. */
    private static Optional<ReportDraft> errno(Passage passage, Cursor cursor, ReportDraft draft) {
        String lower = passage.lower();
        String before = lower.substring(Math.max(0, draft.start() - 48), draft.start());
        boolean printed = before.endsWith("[errno12]")
                || before.endsWith("failed:")
                || before.endsWith("fork:")
                || before.endsWith("malloc:")
                || before.endsWith("mmap:")
                || before.endsWith("=12,")
                || cursor.at("(oserror12)")
                || cursor.at("(errno=12)")
                || cursor.at("(12)") && !before.contains("file<");
        return given(draft.upTo(cursor.position()), printed);
    }

    /** C++ says no more; a device's library that throws it says so behind it. */
    private static Optional<ReportDraft> badAlloc(Passage passage, Cursor cursor, ReportDraft draft) {
        String lower = passage.lower();
        String rest = lower.substring(cursor.position(), Math.min(lower.length(), cursor.position() + 24));
        boolean device = rest.startsWith(":");
        String before = lower.substring(Math.max(0, draft.start() - 64), draft.start());
        boolean printed = before.endsWith("what():")
                || before.endsWith("instanceof'")
                || before.endsWith("error:")
                || before.endsWith("exception:")
                || before.endsWith("caught")
                || raised(passage, draft.start()) && ends(passage, cursor);
        cursor.find("what():std::bad_alloc", 8);
        return given(draft.by("c++").upTo(cursor.position()), printed && !device);
    }

    private static Optional<ReportDraft> ggmlBuffer(Passage passage, int anchor) {
        String lower = passage.lower();
        int start = Math.max(LookBack.to("failedto", lower, anchor, 8), LookBack.to("unableto", lower, anchor, 8));
        if (start < 0) {
            return Optional.empty();
        }
        Cursor cursor = new Cursor(passage, anchor + GGML_CPU.length());
        ReportDraft draft = new ReportDraft(Framework.OTHER, start)
                .claims(Claim.HOST_MEMORY)
                .by("llama.cpp");
        if (cursor.accept("ofsize")) {
            cursor.bytes(draft, Quantity.TRIED);
        }
        return Optional.of(draft.upTo(cursor.position()));
    }

    /** The call with a failure behind it, for want of memory. */
    private static Optional<ReportDraft> pinned(Passage passage, Cursor cursor, ReportDraft draft) {
        String lower = passage.lower();
        String rest = lower.substring(cursor.position(), Math.min(lower.length(), cursor.position() + NEAR));
        int failed = rest.indexOf("fail");
        boolean memory = rest.contains("outofmemory")
                || rest.contains("207001")
                || rest.contains("erroralloc")
                || rest.contains("memoryallocation");
        if (failed < 0 || failed > NEAR / 4 || !memory) {
            return Optional.empty();
        }
        int words = cursor.position() + failed;
        if (cursor.find("size=", NEAR / 2) || cursor.find("size:", NEAR / 2) || cursor.find("size[", NEAR / 2)) {
            cursor.bytes(draft, Quantity.TRIED);
        }
        return Optional.of(draft.claims(Claim.PINNED).upTo(words + "fail".length()));
    }

    private static Optional<ReportDraft> given(ReportDraft draft, boolean understood) {
        return understood ? Optional.of(draft) : Optional.empty();
    }

    /** Whether a line begins with these words, but for the name of a module: where exceptions are printed. */
    private static boolean raised(Passage passage, int start) {
        String lower = passage.lower();
        int from = start;
        while (from > 0 && start - from < 48 && isName(lower.charAt(from - 1)) && !passage.lineStart(from)) {
            from--;
        }
        boolean begins = passage.lineStart(from) && (from == start || lower.charAt(start - 1) == '.');
        boolean caught = lower.startsWith("except", from);
        return begins && !caught || start >= 6 && lower.startsWith("error:", start - 6);
    }

    private static boolean isName(char c) {
        return c >= 'a' && c <= 'z' || c == '.' || c == '_';
    }

    private static boolean ends(Passage passage, Cursor cursor) {
        cursor.accept(":");
        return cursor.position() >= passage.length() || passage.lineStart(cursor.position());
    }

    /** Several processes abort at once and interleave: only a line that is whole can be trusted. */
    private static Optional<ReportDraft> rust(Passage passage, Cursor cursor, ReportDraft draft) {
        boolean whole = passage.lineStart(draft.start())
                && cursor.bytes(draft, Quantity.TRIED)
                && cursor.accept("failed")
                && (cursor.position() == passage.length() || passage.lineStart(cursor.position()));
        return whole ? Optional.of(draft.upTo(cursor.position())) : Optional.empty();
    }
}
