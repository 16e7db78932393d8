package dev.lacuna.core.diagnosis.oom.grammar.xla;

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
import java.util.stream.Stream;

/** JAX and XLA: {@code RESOURCE_EXHAUSTED: Out of memory while trying to allocate …} and its relatives on GPU and TPU. */
public final class XlaGrammar implements OomGrammar {
    private static final String TRYING = "outofmemorywhiletryingtoallocate";
    private static final String ALLOCATING = "outofmemoryallocating";
    private static final String CONSTANT = "failedtoallocate";
    private static final String REQUEST = "failedtoallocaterequestfor";
    private static final String BOTTOM = "attemptingtoreserve";
    private static final String DEVICE_BUFFER = "attemptingtoallocate";
    private static final String SPACE = "ranoutofmemoryinmemoryspace";
    private static final String USAGE = "totalhbmusage>=";

    /** Characters between the error and the list of what the program needs, which belongs to it. */
    private static final int NEAR = 600;

    @Override
    public List<String> anchors() {
        return List.of(TRYING, ALLOCATING, REQUEST, CONSTANT, BOTTOM, DEVICE_BUFFER, SPACE, USAGE);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        ReportDraft draft = new ReportDraft(Framework.JAX_XLA, anchor);
        if (cursor.accept(TRYING) || cursor.accept(ALLOCATING)) {
            draft.upTo(cursor.position());
            boolean understood = size(cursor, draft, Quantity.TRIED) && !cursor.at("(allocatedsofar:"); // CuPy's.
            return understood
                    ? Optional.of(inTensorFlow(passage, anchor) ? ofTensorFlow(draft) : draft)
                    : Optional.empty();
        }
        if (cursor.accept(REQUEST)) {
            return request(cursor, draft);
        }
        if (cursor.accept(BOTTOM)) {
            return bottom(cursor, draft);
        }
        if (cursor.accept(DEVICE_BUFFER)) {
            return deviceBuffer(cursor, draft);
        }
        if (cursor.accept(SPACE)) {
            return space(cursor, draft);
        }
        if (cursor.accept(USAGE)) {
            boolean told = Stream.of(SPACE, BOTTOM).anyMatch(w -> LookBack.to(w, passage.lower(), anchor, NEAR) >= 0);
            return told ? Optional.empty() : usage(cursor, draft);
        }
        cursor.accept(CONSTANT);
        boolean constant = cursor.bytes(draft, Quantity.TRIED) && cursor.accept("fornewconstant");
        return constant ? Optional.of(draft.upTo(cursor.position())) : Optional.empty();
    }

    /** {@code Failed to allocate request for 12.00GiB (12884901888B) on device ordinal 0}: the exact size counts. */
    private static Optional<ReportDraft> request(Cursor cursor, ReportDraft draft) {
        ReportDraft rounded = new ReportDraft(draft.framework(), draft.start());
        if (!size(cursor, rounded, Quantity.TRIED)) {
            return Optional.empty();
        }
        if (!cursor.accept("(") || !cursor.bytes(draft, Quantity.TRIED)) {
            draft.absorb(rounded);
        }
        if (cursor.find("deviceordinal", 16)) {
            OptionalLong ordinal = cursor.integer();
            ordinal.ifPresent(n -> draft.on("device", n));
        }
        return Optional.of(draft.upTo(cursor.position()));
    }

    /** {@code Attempting to reserve 5.00G at the bottom of memory. That was not possible. There are 1.2G free}. */
    private static Optional<ReportDraft> bottom(Cursor cursor, ReportDraft draft) {
        if (!size(cursor, draft, Quantity.TRIED) || !cursor.accept("atthebottomofmemory")) {
            return Optional.empty();
        }
        if (cursor.find("thereare", 40)) {
            size(cursor, draft, Quantity.FREE);
        }
        draft.claims(Claim.NO_CACHE).upTo(cursor.position());
        capacity(cursor, draft);
        return Optional.of(draft);
    }

    /** {@code HBM capacity 8.00G: … Currently allocated: 6.08G (6,532,939,776 bytes)}, the table that may follow. */
    private static void capacity(Cursor cursor, ReportDraft draft) {
        if (cursor.find("hbmcapacity", 120) && size(cursor, draft, Quantity.TOTAL)) {
            draft.upTo(cursor.position());
            if (cursor.find("currentlyallocated:", 120) && size(cursor, draft, Quantity.ALLOCATED)) {
                draft.upTo(cursor.position());
            }
        }
    }

    /** {@code Attempting to allocate 2.25G. That was not possible. There are 1.66G free.; (0x0x0_HBM0)}, on TPUs. */
    private static Optional<ReportDraft> deviceBuffer(Cursor cursor, ReportDraft draft) {
        if (!size(cursor, draft, Quantity.TRIED) || !cursor.find("thatwasnotpossible", 2)) {
            return Optional.empty();
        }
        if (cursor.find("thereare", 2)) {
            size(cursor, draft, Quantity.FREE);
        }
        draft.claims(Claim.NO_CACHE).upTo(cursor.position());
        if (cursor.find("duetofragmentation", 16)) {
            draft.claims(Claim.FRAGMENTED).upTo(cursor.position());
        }
        return Optional.of(draft);
    }

    /** {@code Ran out of memory in memory space hbm. Used 20.01G of 15.48G hbm}: a compiler's estimate of the whole program. */
    private static Optional<ReportDraft> space(Cursor cursor, ReportDraft draft) {
        if (!cursor.accept("hbm") && !cursor.accept("vmem") && !cursor.accept("smem")) {
            return Optional.empty();
        }
        draft.upTo(cursor.position());
        if (cursor.find("used", 8) && size(cursor, draft, Quantity.TRIED) && cursor.accept("of")) {
            size(cursor, draft, Quantity.TOTAL);
            draft.claims(Claim.WHOLE_PROGRAM);
        }
        return Optional.of(draft);
    }

    /** {@code Total hbm usage >= 19.00G: reserved 512.00M program 16.50G}: only a program that does not fit has its needs listed so. */
    private static Optional<ReportDraft> usage(Cursor cursor, ReportDraft draft) {
        boolean listed = size(cursor, draft, Quantity.TRIED) && cursor.find("program", NEAR);
        return listed ? Optional.of(draft.claims(Claim.WHOLE_PROGRAM)) : Optional.empty();
    }

    /** TensorFlow compiles parts of a graph with XLA, and raises what XLA says from its own sessions. */
    private static boolean inTensorFlow(Passage passage, int anchor) {
        String lower = passage.lower();
        String around = lower.substring(Math.max(0, anchor - NEAR), Math.min(lower.length(), anchor + NEAR));
        return (around.contains("xla_run}}") || around.contains("_xlarun}}")) && around.contains("tensorflow.python");
    }

    private static ReportDraft ofTensorFlow(ReportDraft draft) {
        ReportDraft its = new ReportDraft(Framework.TENSORFLOW, draft.start());
        its.absorb(draft);
        return its;
    }

    private static boolean size(Cursor cursor, ReportDraft draft, Quantity quantity) {
        return cursor.size(draft, quantity, Cursor.ALL_UNITS) || cursor.bytes(draft, quantity);
    }
}
