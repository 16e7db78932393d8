package dev.lacuna.core.diagnosis.oom.grammar.pytorch;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.MessageForm;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import dev.lacuna.core.diagnosis.oom.passage.Cursor;
import dev.lacuna.core.diagnosis.oom.passage.OomGrammar;
import dev.lacuna.core.diagnosis.oom.passage.Passage;
import dev.lacuna.core.diagnosis.oom.passage.ReportDraft;
import java.util.List;
import java.util.Optional;

/**
 * PyTorch 2.14: {@code CUDA out of memory. Allocation was preemptively rejected because it would exceed
 * per_process_memory_fraction limit. Requested size: …}.
 */
public final class TorchRejectionGrammar implements OomGrammar {
    private static final String ANCHOR = "allocationwaspreemptivelyrejected";

    @Override
    public List<String> anchors() {
        return List.of(ANCHOR);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        String before = passage.lower().substring(Math.max(0, anchor - 16), anchor);
        int head = before.contains("outofmemory.") ? before.length() - before.indexOf("outofmemory.") : 0;
        Framework framework = before.contains("hipout") ? Framework.PYTORCH_ROCM : Framework.PYTORCH_CUDA;
        if (head > 0) {
            head += framework == Framework.PYTORCH_ROCM ? 3 : 4;
        }
        ReportDraft draft = new ReportDraft(framework, Math.max(0, anchor - head));
        Cursor cursor = new Cursor(passage, anchor + ANCHOR.length());
        draft.upTo(cursor.position()).form(MessageForm.REJECTED).claims(Claim.LIMIT);
        if (cursor.find("requestedsize:", 120)) {
            cursor.size(draft, Quantity.TRIED, Cursor.LONG_UNITS);
        }
        return Optional.of(draft);
    }
}
