package dev.lacuna.core.diagnosis.oom.grammar.host;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import dev.lacuna.core.diagnosis.oom.passage.Cursor;
import dev.lacuna.core.diagnosis.oom.passage.OomGrammar;
import dev.lacuna.core.diagnosis.oom.passage.Passage;
import dev.lacuna.core.diagnosis.oom.passage.ReportDraft;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Allocators that turn up in training logs beside the frameworks: Rust's abort, Sophgo's device library, CuPy, NumPy,
 * NCCL's own buffers, RAPIDS, TensorRT, SGLang's start.
 */
public final class HostAndOtherGrammar implements OomGrammar {
    private static final String RUST = "memoryallocationof";
    private static final String SOPHGO = "bm_alloc_gmemfailed,dev_id=";
    private static final String CUPY = "outofmemoryallocating";
    private static final String NUMPY = "arraymemoryerror:unabletoallocate";
    /** In NCCL's own warning, and in PyTorch's exception behind "Last error:". */
    private static final String NCCL = "failedtocuda";

    private static final List<String> NCCL_CALLS =
            List.of("callocasync", "calloc", "hostalloc", "hostcalloc", "malloc");
    private static final String RMM = "std::bad_alloc:out_of_memory:";
    private static final String TENSOR_RT = "requestedamountofgpumemory(";
    private static final String SGLANG = "notenoughmemory.pleasetrytoincrease--mem-fraction-static";

    @Override
    public List<String> anchors() {
        return List.of(RUST, SOPHGO, CUPY, NUMPY, NCCL, TENSOR_RT, SGLANG, RMM);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        ReportDraft draft = new ReportDraft(Framework.OTHER, anchor);
        if (cursor.accept(SOPHGO)) {
            OptionalLong device = cursor.integer();
            device.ifPresent(n -> draft.on("dev", n));
            return given(
                    draft,
                    cursor.find("size=", 4)
                            && (cursor.hexBytes(draft, Quantity.TRIED) || cursor.bytes(draft, Quantity.TRIED)));
        }
        if (cursor.accept(CUPY)) {
            return cupy(cursor, draft);
        }
        if (cursor.accept(NUMPY)) {
            boolean understood = cursor.size(draft, Quantity.TRIED, Cursor.LONG_UNITS) && cursor.at("foranarray");
            return given(draft.claims(Claim.HOST_MEMORY), understood);
        }
        if (cursor.accept(NCCL)) {
            ReportDraft own = nccl(anchor);
            return given(own, cursor.acceptAny(NCCL_CALLS) && cursor.bytes(own, Quantity.TRIED));
        }
        if (cursor.accept(TENSOR_RT)) {
            return given(draft, cursor.bytes(draft, Quantity.TRIED) && cursor.accept(")couldnotbeallocated"));
        }
        if (cursor.accept(RMM)) {
            return given(draft.upTo(cursor.position()), cursor.at("cudaerrorat:") || cursor.at("rmmfailure"));
        }
        if (cursor.accept(SGLANG)) {
            return Optional.of(draft.upTo(cursor.position()));
        }
        return rust(passage, cursor, draft.claims(Claim.HOST_MEMORY));
    }

    /** {@code Out of memory allocating 8,589,934,592 bytes (allocated so far: 4,294,967,296 bytes)}. */
    private static Optional<ReportDraft> cupy(Cursor cursor, ReportDraft draft) {
        boolean understood = cursor.groupedBytes(draft, Quantity.TRIED) && cursor.accept("(allocatedsofar:");
        return given(draft, understood && cursor.groupedBytes(draft, Quantity.ALLOCATED));
    }

    /** NCCL is PyTorch's collective library here, so its failure is one of the process that PyTorch's pool lives in. */
    private static ReportDraft nccl(int anchor) {
        return new ReportDraft(Framework.PYTORCH_CUDA, anchor).claims(Claim.OUTSIDE_ALLOCATION);
    }

    private static Optional<ReportDraft> given(ReportDraft draft, boolean understood) {
        return understood ? Optional.of(draft) : Optional.empty();
    }

    /** Several processes abort at once and interleave: only a line that is whole can be trusted. */
    private static Optional<ReportDraft> rust(Passage passage, Cursor cursor, ReportDraft draft) {
        boolean whole = passage.lineStart(draft.start())
                && cursor.accept(RUST)
                && cursor.bytes(draft, Quantity.TRIED)
                && cursor.accept("failed")
                && (cursor.position() == passage.length() || passage.lineStart(cursor.position()));
        return whole ? Optional.of(draft.upTo(cursor.position())) : Optional.empty();
    }
}
