package dev.lacuna.core.diagnosis.oom.grammar.paddle;

import dev.lacuna.core.diagnosis.oom.grammar.pytorch.TorchGrammar;
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

/** PaddlePaddle: {@code Out of memory error on GPU 0. Cannot allocate … memory on GPU 0, … memory has been allocated and available memory is only …}. */
public final class PaddleGrammar implements OomGrammar {
    private static final String HEAD = "outofmemoryerroron";

    /** The first versions, without figures. */
    private static final String INSUFFICIENT = "insufficientgpumemorytoallocation";

    /** The same with them: {@code enforce allocating <= available failed, 4831838208 > 1369702144}. */
    private static final String ENFORCED = "allocating<=available";

    /** Enforced on the host: {@code (ResourceExhausted) Fail to alloc memory of 12345 size, error code is 12}. */
    private static final String HOST = "failtoallocmemoryof";

    /** The allocator of releases before 1.5: {@code Cannot allocate 196.000000MB in GPU 0, available 1.214539GB}. */
    private static final String LEGACY = "legacy_allocator.cc:";

    private static final String CUBLAS = "cublaserror(3)";

    @Override
    public List<String> anchors() {
        return List.of(HEAD, ENFORCED, INSUFFICIENT, HOST, LEGACY, CUBLAS);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        if (cursor.accept(ENFORCED)) {
            return enforced(cursor, new ReportDraft(Framework.PADDLE, anchor));
        }
        if (cursor.accept(INSUFFICIENT)) {
            return Optional.of(new ReportDraft(Framework.PADDLE, anchor).upTo(cursor.position()));
        }
        if (cursor.accept(HOST)) {
            ReportDraft draft = new ReportDraft(Framework.PADDLE, anchor).claims(Claim.HOST_MEMORY);
            return cursor.bytes(draft, Quantity.TRIED) && cursor.accept("size") ? Optional.of(draft) : Optional.empty();
        }
        if (cursor.accept(CUBLAS)) {
            ReportDraft draft = new ReportDraft(Framework.PADDLE, anchor).claims(Claim.OUTSIDE_ALLOCATION);
            boolean memory = cursor.find("alloc_failed", 32) || cursor.find("resourceallocationfailed", 64);
            return memory ? Optional.of(draft.upTo(cursor.position())) : Optional.empty();
        }
        if (cursor.accept(LEGACY)) {
            return legacy(cursor, new ReportDraft(Framework.PADDLE, anchor));
        }
        cursor.accept(HEAD);
        ReportDraft draft = new ReportDraft(Framework.PADDLE, anchor);
        if (!TorchGrammar.readDevice(cursor, draft)
                || !cursor.find("cannotallocate", 4)
                || !cursor.size(draft, Quantity.TRIED, Cursor.ALL_UNITS)) {
            return Optional.empty();
        }
        OptionalLong ignored = OptionalLong.empty();
        if (cursor.accept("memoryon")) {
            cursor.letters(8);
            ignored = cursor.integer();
            cursor.skipPunctuation(2);
        }
        draft.upTo(cursor.position());
        used(cursor, draft);
        if (cursor.find("availablememoryis", 16)) {
            cursor.accept("only"); // Until 1.6 without the word, and "GPU memory," before it.
            cursor.size(draft, Quantity.FREE, Cursor.ALL_UNITS);
        }
        return Optional.of(draft);
    }

    private static Optional<ReportDraft> legacy(Cursor cursor, ReportDraft draft) {
        if (!cursor.find("cannotallocate", 8)
                || !cursor.size(draft, Quantity.TRIED, Cursor.ALL_UNITS)
                || !cursor.accept("in")
                || !TorchGrammar.readDevice(cursor, draft)) {
            return Optional.empty();
        }
        draft.upTo(cursor.position());
        if (cursor.find("available", 4)) {
            cursor.size(draft, Quantity.FREE, Cursor.ALL_UNITS);
        }
        return Optional.of(draft);
    }

    private static Optional<ReportDraft> enforced(Cursor cursor, ReportDraft draft) {
        if (!cursor.acceptAny(List.of("failed,", ",butreceivedallocating:"))
                || !cursor.bytes(draft, Quantity.TRIED)
                || !cursor.accept(">")) {
            return Optional.empty(); // The condition alone, in a source.
        }
        cursor.accept("available:");
        cursor.bytes(draft, Quantity.FREE);
        draft.upTo(cursor.position());
        return Optional.of(cursor.find(INSUFFICIENT, 2) ? draft.upTo(cursor.position()) : draft);
    }

    private static void used(Cursor cursor, ReportDraft draft) {
        int before = cursor.position();
        ReportDraft scratch = new ReportDraft(draft.framework(), draft.start());
        if (cursor.size(scratch, Quantity.ALLOCATED, Cursor.ALL_UNITS) && cursor.accept("memoryhasbeenallocated")) {
            draft.absorb(scratch);
        } else {
            cursor.moveTo(before);
        }
    }
}
