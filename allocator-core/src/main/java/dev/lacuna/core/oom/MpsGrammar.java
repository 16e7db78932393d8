package dev.lacuna.core.oom;

import java.util.List;
import java.util.Optional;

/**
 * PyTorch on Apple's Metal: {@code MPS backend out of memory (MPS allocated: …, other allocations: …, max allowed: …).
 * Tried to allocate … on private pool.} Its "max allowed" is the high watermark that the backend treats as its total;
 * the message itself says that this limit was hit. Units are binary whether it prints GB or GiB.
 */
final class MpsGrammar implements OomGrammar {
    private static final String HEAD = "mpsbackendoutofmemory";

    @Override
    public List<String> anchors() {
        return List.of(HEAD);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        cursor.accept(HEAD);
        ReportDraft draft = new ReportDraft(Framework.PYTORCH_MPS, anchor);
        draft.upTo(cursor.position());
        labelled(cursor, draft, "mpsallocated:", Quantity.ALLOCATED);
        labelled(cursor, draft, "otherallocations:", Quantity.OTHER_ALLOCATIONS);
        labelled(cursor, draft, "maxallowed:", Quantity.TOTAL);
        labelled(cursor, draft, "triedtoallocate", Quantity.TRIED);
        if (!draft.hasNumbers()) {
            return Optional.empty();
        }
        if (cursor.acceptStart("onprivatepool", 4) || cursor.acceptStart("onsharedpool", 4)) {
            draft.upTo(cursor.position());
        }
        return Optional.of(draft.named("MPS").claims(Claim.LIMIT));
    }

    private static void labelled(Cursor cursor, ReportDraft draft, String label, Quantity quantity) {
        int before = cursor.position();
        if (!cursor.find(label, 8) || !cursor.size(draft, quantity, Cursor.LONG_UNITS)) {
            cursor.moveTo(before);
        }
    }
}
