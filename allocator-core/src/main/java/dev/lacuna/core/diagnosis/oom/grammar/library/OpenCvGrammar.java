package dev.lacuna.core.diagnosis.oom.grammar.library;

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

/** OpenCV, whose source file tells which memory it was: the device's, the host's that is pinned, or the host's. */
public final class OpenCvGrammar implements OomGrammar {
    private static final String DEVICE = "(-217:gpuapicall)outofmemory";
    private static final String HOST = "(-4:insufficientmemory)failedtoallocate";
    private static final int PLACE = 160;

    @Override
    public List<String> anchors() {
        return List.of(DEVICE, HOST);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        ReportDraft draft = new ReportDraft(Framework.OTHER, anchor).by("opencv");
        if (cursor.accept(HOST)) {
            cursor.bytes(draft, Quantity.TRIED);
            return Optional.of(draft.claims(Claim.HOST_MEMORY).upTo(cursor.position()));
        }
        cursor.accept(DEVICE);
        if (LookBack.to("cuda_host_mem.cpp", passage.lower(), anchor, PLACE) >= 0) {
            draft.claims(Claim.HOST_MEMORY).claims(Claim.PINNED);
        }
        return Optional.of(draft.upTo(cursor.position()));
    }
}
