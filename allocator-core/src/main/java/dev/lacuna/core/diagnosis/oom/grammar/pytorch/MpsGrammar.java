package dev.lacuna.core.diagnosis.oom.grammar.pytorch;

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
 * PyTorch on Apple's Metal: {@code MPS backend out of memory (MPS allocated: …, other allocations: …, max allowed: …).
 * Tried to allocate … on private pool.} Its "max allowed" is the high watermark that the backend treats as its total;
 * the message itself says that this limit was hit. Units are binary whether it prints GB or GiB.
 */
public final class MpsGrammar implements OomGrammar {
    private static final String HEAD = "mpsbackendoutofmemory";

    /** One buffer larger than Metal makes. */
    private static final String BUFFER = "runtimeerror:invalidbuffersize:";

    /** Metal's own refusal, while a command runs. */
    private static final String COMMAND = "insufficientmemory(00000008:kiogpucommandbuffercallbackerroroutofmemory)";

    /** What MLX puts before it. */
    private static final String MLX = "[metal]commandbufferexecutionfailed:";

    @Override
    public List<String> anchors() {
        return List.of(HEAD, BUFFER, COMMAND);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        if (cursor.accept(BUFFER)) {
            ReportDraft draft = new ReportDraft(Framework.PYTORCH_MPS, anchor + "runtimeerror:".length())
                    .named("MPS")
                    .claims(Claim.OVERSIZED);
            return cursor.size(draft, Quantity.TRIED, Cursor.LONG_UNITS) ? Optional.of(draft) : Optional.empty();
        }
        if (cursor.at(COMMAND) && LookBack.to(MLX, passage.lower(), anchor, MLX.length()) >= 0) {
            return Optional.of(new ReportDraft(Framework.OTHER, anchor)
                    .named("Metal")
                    .by("mlx")
                    .upTo(anchor + COMMAND.length()));
        }
        if (cursor.accept(COMMAND)) {
            boolean ggml = LookBack.to("ggml_metal", passage.lower(), anchor, 200) >= 0
                    || new Cursor(passage, cursor.position()).find("ggml_metal", 8);
            ReportDraft draft = new ReportDraft(ggml ? Framework.OTHER : Framework.PYTORCH_MPS, anchor);
            return Optional.of(
                    ggml
                            ? draft.named("Metal").by("llama.cpp").upTo(cursor.position())
                            : draft.named("MPS").upTo(cursor.position()));
        }
        cursor.accept(HEAD);
        ReportDraft draft = new ReportDraft(Framework.PYTORCH_MPS, anchor);
        draft.upTo(cursor.position());
        labelled(cursor, draft, "mpsallocated:", Quantity.ALLOCATED);
        labelled(cursor, draft, "otherallocations:", Quantity.OTHER_ALLOCATIONS);
        boolean capped = cap(cursor, draft);
        boolean whole = labelled(cursor, draft, "triedtoallocate", Quantity.TRIED);
        if (!draft.hasNumbers()) {
            return Optional.empty();
        }
        if (cursor.acceptStart("onprivatepool", 4) || cursor.acceptStart("onsharedpool", 4)) {
            draft.upTo(cursor.position());
        }
        boolean unlimited = whole && !capped; // The limit that was taken away is not printed.
        return Optional.of(unlimited ? draft.named("MPS") : draft.named("MPS").claims(Claim.LIMIT));
    }

    /** The high watermark is the cap that was hit, and what the back end treats as its total. */
    private static boolean cap(Cursor cursor, ReportDraft draft) {
        int before = cursor.position();
        boolean given = labelled(cursor, draft, "maxallowed:", Quantity.ALLOWED);
        int after = cursor.position();
        cursor.moveTo(before);
        ReportDraft again = new ReportDraft(draft.framework(), draft.start());
        labelled(cursor, again, "maxallowed:", Quantity.TOTAL);
        draft.alsoMeans(again);
        cursor.moveTo(after);
        return given;
    }

    private static boolean labelled(Cursor cursor, ReportDraft draft, String label, Quantity quantity) {
        int before = cursor.position();
        boolean given = cursor.find(label, 8) && cursor.size(draft, quantity, Cursor.LONG_UNITS);
        if (!given) {
            cursor.moveTo(before);
        }
        return given;
    }
}
