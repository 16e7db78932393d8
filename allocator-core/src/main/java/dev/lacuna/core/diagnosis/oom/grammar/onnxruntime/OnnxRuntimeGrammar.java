package dev.lacuna.core.diagnosis.oom.grammar.onnxruntime;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import dev.lacuna.core.diagnosis.oom.passage.Cursor;
import dev.lacuna.core.diagnosis.oom.passage.OomGrammar;
import dev.lacuna.core.diagnosis.oom.passage.Passage;
import dev.lacuna.core.diagnosis.oom.passage.ReportDraft;
import java.util.List;
import java.util.Optional;

/** ONNX Runtime's BFC arena. */
public final class OnnxRuntimeGrammar implements OomGrammar {
    private static final String BUFFER = "failedtoallocatememoryforrequestedbufferofsize";
    private static final String AVAILABLE = "availablememoryof";

    /** The source line before the message, which remains of a title that was cut. */
    private static final String ARENA = "onnxruntime::bfcarena::allocaterawinternal(";

    private static final int SIGNATURE = 200;

    /** A layout of tensors that only the provider for CPUs has, in names of nodes. */
    private static final String ON_THE_HOST = "_nchwc'status";

    private static final int OF_A_NODE = 400;

    @Override
    public List<String> anchors() {
        return List.of(BUFFER, AVAILABLE, ARENA);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        ReportDraft draft = new ReportDraft(Framework.ONNX_RUNTIME, anchor);
        String before = passage.lower().substring(Math.max(0, anchor - OF_A_NODE), anchor);
        if (before.contains(ON_THE_HOST)) {
            draft.claims(Claim.HOST_MEMORY);
        }
        if (cursor.accept(BUFFER)) {
            return cursor.bytes(draft, Quantity.TRIED) ? Optional.of(draft) : Optional.empty();
        }
        if (cursor.accept(ARENA)) {
            boolean failed = cursor.find("failedtoalloc", SIGNATURE);
            return failed ? Optional.of(draft.upTo(cursor.position())) : Optional.empty();
        }
        cursor.accept(AVAILABLE);
        boolean understood = cursor.bytes(draft, Quantity.FREE)
                && cursor.accept("issmallerthanrequestedbytesof")
                && cursor.bytes(draft, Quantity.TRIED);
        return understood ? Optional.of(draft) : Optional.empty();
    }
}
