package dev.lacuna.core.diagnosis.oom.grammar.pytorch;

import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import dev.lacuna.core.diagnosis.oom.passage.Cursor;
import dev.lacuna.core.diagnosis.oom.passage.LookBack;
import dev.lacuna.core.diagnosis.oom.passage.OomGrammar;
import dev.lacuna.core.diagnosis.oom.passage.Passage;
import dev.lacuna.core.diagnosis.oom.passage.ReportDraft;
import java.util.List;
import java.util.Optional;

/** PyTorch with CUDA's own asynchronous allocator: {@code Allocation on device 0 would exceed allowed memory} and a list of figures. */
public final class CudaMallocAsyncGrammar implements OomGrammar {
    private static final String ANCHOR = "wouldexceedallowedmemory";
    private static final int REACH = 40;

    /** As much as ComfyUI lets through. */
    private static final String BARE = "outofmemoryerror:allocationondevice";

    /** The same on ComfyUI's own line. */
    private static final String COMFY = "exceptionduringprocessing!!!allocationondevice";

    /** The same in the report that ComfyUI writes. */
    private static final String REPORT = "exceptionmessage:**allocationondevice";

    /** A line of the list. */
    private record Figure(String label, Quantity quantity) {}

    private static final List<Figure> FIGURES = List.of(
            new Figure("currentlyallocated:", Quantity.ALLOCATED),
            new Figure("requested:", Quantity.TRIED),
            new Figure("devicelimit:", Quantity.TOTAL),
            new Figure("free(accordingtocuda):", Quantity.FREE),
            new Figure("pytorchlimit(setbyuser-suppliedmemoryfraction):", Quantity.ALLOWED));

    @Override
    public List<String> anchors() {
        return List.of(ANCHOR, BARE, COMFY, REPORT);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        if (passage.lower().startsWith(BARE, anchor)) {
            return bare(passage, anchor + BARE.length());
        }
        if (passage.lower().startsWith(COMFY, anchor)) {
            return bare(passage, anchor + COMFY.length());
        }
        if (passage.lower().startsWith(REPORT, anchor)) {
            return bare(passage, anchor + REPORT.length());
        }
        int start = LookBack.to("allocationon", passage.lower(), anchor, 32);
        if (start < 0) {
            return Optional.empty();
        }
        ReportDraft draft = new ReportDraft(Framework.PYTORCH_CUDA_MALLOC_ASYNC, start);
        Cursor cursor = new Cursor(passage, start + "allocationon".length());
        TorchGrammar.readDevice(cursor, draft);
        cursor.moveTo(anchor + ANCHOR.length());
        draft.upTo(cursor.position());
        for (Figure figure : FIGURES) {
            int before = cursor.position();
            if (!cursor.find(figure.label(), REACH) || !cursor.size(draft, figure.quantity(), Cursor.LONG_UNITS)) {
                cursor.moveTo(before);
            }
        }
        return Optional.of(draft);
    }

    private static Optional<ReportDraft> bare(Passage passage, int end) {
        int start = end - "allocationondevice".length();
        ReportDraft draft = new ReportDraft(Framework.PYTORCH_CUDA_MALLOC_ASYNC, start).upTo(end);
        Cursor cursor = new Cursor(passage, start + "allocationon".length());
        if (!passage.lineStart(end)) {
            TorchGrammar.readDevice(cursor, draft);
        }
        boolean ends = draft.end() >= passage.length() || passage.lineStart(draft.end());
        return ends ? Optional.of(draft) : Optional.empty();
    }
}
