package dev.lacuna.core.diagnosis.oom.grammar.library;

import dev.lacuna.core.base.SizeUnit;
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
 * Libraries with an allocator of their own on a device: CuPy, RAPIDS' RMM, Thrust, CTranslate2, TensorRT and
 * TensorRT-LLM, SGLang's start, Sophgo, DirectML.
 */
public final class LibraryGrammar implements OomGrammar {
    private static final String SOPHGO = "bm_alloc_gmemfailed,dev_id=";
    private static final String CUPY = "outofmemoryallocating";
    private static final String CUPY_OLD = "outofmemorytoallocate";
    private static final String RMM_OLD = "rmm_error_out_of_memory";
    private static final String BAD_ALLOC = "std::bad_alloc:";
    private static final String THRUST = "cudaerrormemoryallocation:outofmemory";
    private static final String CTRANSLATE = "cudafailedwitherroroutofmemory";
    private static final String TENSOR_RT = "requestedamountofgpumemory(";
    private static final String TENSOR_RT_CODE = "errorcode2:outofmemory(";
    private static final String TENSOR_RT_LLM = "executorcreationfailedduetoinsufficientgpumemory";
    private static final String TENSOR_RT_LLM_MAYBE =
            "executorcreationfailedwithanerrorwhichmightindicateinsufficientgpumemory";
    private static final String TENSOR_RT_CALL = "cudaruntimeerrorin";
    private static final String SGLANG = "notenoughmemory.pleasetrytoincrease--mem-fraction-static";
    private static final String DIRECT_X = "8007000enotenoughmemoryresources";
    private static final int CALL = 160;

    @Override
    public List<String> anchors() {
        return List.of(
                SOPHGO,
                CUPY,
                CUPY_OLD,
                BAD_ALLOC,
                RMM_OLD,
                THRUST,
                CTRANSLATE,
                TENSOR_RT,
                TENSOR_RT_CODE,
                TENSOR_RT_LLM,
                TENSOR_RT_LLM_MAYBE,
                TENSOR_RT_CALL,
                SGLANG,
                DIRECT_X);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        ReportDraft draft = new ReportDraft(Framework.OTHER, anchor);
        if (cursor.accept(SOPHGO)) {
            return sophgo(cursor, draft.by("sophgo"));
        }
        if (cursor.accept(CUPY)) {
            return cupy(cursor, draft.by("cupy"));
        }
        if (cursor.accept(CUPY_OLD)) {
            boolean understood = cursor.bytes(draft, Quantity.TRIED) && cursor.accept("(total");
            return given(draft.by("cupy"), understood);
        }
        if (cursor.accept(BAD_ALLOC)) {
            return badAlloc(passage, cursor, draft);
        }
        if (cursor.accept(RMM_OLD)) {
            return Optional.of(draft.by("rmm").upTo(cursor.position()));
        }
        if (cursor.accept(THRUST)) {
            boolean cupy = LookBack.to("cudaruntimeerror:", passage.lower(), anchor, 20) >= 0;
            return Optional.of(draft.by(cupy ? "cupy" : "thrust").upTo(cursor.position()));
        }
        if (cursor.accept(CTRANSLATE)) {
            return Optional.of(draft.by("ctranslate2").upTo(cursor.position()));
        }
        if (cursor.accept(SGLANG)) {
            return Optional.of(draft.by("sglang").claims(Claim.SHARE_TOO_SMALL).upTo(cursor.position()));
        }
        if (cursor.accept(DIRECT_X)) {
            return Optional.of(draft.by("directml").upTo(cursor.position()));
        }
        return tensorRt(cursor, draft);
    }

    private static Optional<ReportDraft> tensorRt(Cursor cursor, ReportDraft draft) {
        if (cursor.accept(TENSOR_RT)) {
            boolean understood = cursor.bytes(draft, Quantity.TRIED) && cursor.accept(")couldnotbeallocated");
            return given(draft.by("tensorrt"), understood);
        }
        if (cursor.accept(TENSOR_RT_CODE)) {
            draft.upTo(cursor.position());
            if (cursor.find("requestedsizewas", 4)) {
                cursor.bytes(draft, Quantity.TRIED);
            }
            return Optional.of(draft.by("tensorrt"));
        }
        if (cursor.accept(TENSOR_RT_CALL)) {
            boolean memory = cursor.find(":outofmemory(", CALL);
            return given(draft.by("tensorrt-llm").upTo(cursor.position()), memory);
        }
        cursor.acceptAny(List.of(TENSOR_RT_LLM, TENSOR_RT_LLM_MAYBE));
        draft.by("tensorrt-llm").upTo(cursor.position());
        gib(cursor, draft, "totalgpumemory(gib):", Quantity.TOTAL);
        gib(cursor, draft, "beforecomponentcreationattempt(gib):", Quantity.FREE);
        return Optional.of(draft);
    }

    /** The unit stands in the label: {@code Total GPU memory (GiB): 140.06}. */
    private static void gib(Cursor cursor, ReportDraft draft, String label, Quantity quantity) {
        int before = cursor.position();
        if (!cursor.find(label, CALL + CALL) || !cursor.number(draft, quantity, SizeUnit.GIB)) {
            cursor.moveTo(before);
        }
    }

    private static Optional<ReportDraft> sophgo(Cursor cursor, ReportDraft draft) {
        OptionalLong device = cursor.integer();
        device.ifPresent(n -> draft.on("dev", n));
        boolean understood = cursor.find("size=", 4)
                && (cursor.hexBytes(draft, Quantity.TRIED) || cursor.bytes(draft, Quantity.TRIED));
        return given(draft, understood);
    }

    /** {@code Out of memory allocating 8,589,934,592 bytes (allocated so far: 4,294,967,296 bytes, limit set to: …)}. */
    private static Optional<ReportDraft> cupy(Cursor cursor, ReportDraft draft) {
        boolean understood = cursor.bytes(draft, Quantity.TRIED) && cursor.accept("(allocatedsofar:");
        understood = understood && cursor.bytes(draft, Quantity.ALLOCATED);
        if (understood && cursor.accept(",limitsetto:") && cursor.bytes(draft, Quantity.ALLOWED)) {
            draft.claims(Claim.LIMIT);
        }
        return given(draft, understood);
    }

    /**
     * {@code std::bad_alloc: out_of_memory: CUDA error (failed to allocate 368974272 bytes) at: …}, {@code std::bad_alloc:
     * RMM failure at: … Maximum pool size exceeded}; Thrust's has the error's name behind it, XGBoost adds what was free.
     */
    private static Optional<ReportDraft> badAlloc(Passage passage, Cursor cursor, ReportDraft draft) {
        cursor.accept("out_of_memory:");
        boolean rmm = cursor.accept("rmmfailure") || cursor.accept("cudaerror(") || cursor.accept("cudaerrorat:");
        boolean thrust = !rmm && cursor.at("cudaerrormemoryallocation");
        if (!rmm && !thrust) {
            return Optional.empty();
        }
        draft.by(rmm ? "rmm" : "thrust").upTo(cursor.position());
        if (thrust) {
            cursor.accept(THRUST);
            draft.upTo(cursor.position());
            cursor.accept("-"); // Of a list, whose marks are taken for quotation.
            if (cursor.accept("freememory:") && size(cursor, draft, Quantity.FREE)) {
                draft.by("xgboost");
                cursor.accept("-");
                if (cursor.accept("requestedmemory:")) {
                    size(cursor, draft, Quantity.TRIED);
                }
            }
            return Optional.of(draft);
        }
        String rest =
                passage.lower().substring(cursor.position(), Math.min(passage.length(), cursor.position() + 2 * CALL));
        if (rest.contains("maximumpoolsizeexceeded") || rest.contains("exceededmemorylimit")) {
            draft.claims(Claim.LIMIT);
        }
        if (cursor.find("failedtoallocate", 2 * CALL)) {
            size(cursor, draft, Quantity.TRIED);
        }
        return Optional.of(draft);
    }

    private static boolean size(Cursor cursor, ReportDraft draft, Quantity quantity) {
        return cursor.size(draft, quantity, Cursor.LONG_UNITS) || cursor.bytes(draft, quantity);
    }

    private static Optional<ReportDraft> given(ReportDraft draft, boolean understood) {
        return understood ? Optional.of(draft) : Optional.empty();
    }
}
