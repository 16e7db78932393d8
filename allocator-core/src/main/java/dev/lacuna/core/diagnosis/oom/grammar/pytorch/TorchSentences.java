package dev.lacuna.core.diagnosis.oom.grammar.pytorch;

import dev.lacuna.core.diagnosis.oom.model.MessageForm;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import dev.lacuna.core.diagnosis.oom.passage.Cursor;
import dev.lacuna.core.diagnosis.oom.passage.ReportDraft;
import java.util.List;
import java.util.OptionalLong;

/**
 * PyTorch 2.1 and later: {@code GPU 0 has a total capacity of … of which … is free. Process … has … memory in use. … Of
 * the allocated memory … is allocated by PyTorch, and … is reserved by PyTorch but unallocated.} Sentences may be
 * missing, cut or in another order.
 */
final class TorchSentences {
    private static final int MAX_SENTENCES = 64;
    private static final int MAX_JUNK = 8;

    private TorchSentences() {}

    /** Reads sentences as long as they are understood; whether any was. */
    static boolean read(Cursor cursor, ReportDraft draft) {
        boolean understood = false;
        for (int i = 0; i < MAX_SENTENCES; i++) {
            int before = cursor.position();
            cursor.skipPunctuation(MAX_JUNK);
            if (!sentence(cursor, draft)) {
                cursor.moveTo(before);
                break;
            }
            understood = true;
            draft.upTo(cursor.position());
        }
        return understood;
    }

    private static boolean sentence(Cursor cursor, ReportDraft draft) {
        return otherProcess(cursor, draft)
                || ownProcess(cursor, draft)
                || capacity(cursor, draft)
                || allowed(cursor, draft)
                || allocated(cursor, draft);
    }

    private static boolean capacity(Cursor cursor, ReportDraft draft) {
        int before = cursor.position();
        ReportDraft scratch = new ReportDraft(draft.framework(), draft.start());
        boolean named =
                cursor.at("gpuhasatotalcapac") ? cursor.accept("gpu") : TorchGrammar.readDevice(cursor, scratch);
        if (!named || !cursor.accept("hasatotalcapac")) {
            cursor.moveTo(before);
            return false;
        }
        boolean misspelt = cursor.accept("ty");
        if (!misspelt) {
            cursor.acceptStart("ity", 1);
        }
        draft.absorb(scratch);
        draft.form(misspelt ? MessageForm.SENTENCES_CAPACTY : MessageForm.SENTENCES);
        if (cursor.accept("of") && cursor.size(draft, Quantity.TOTAL, Cursor.LONG_UNITS)) {
            int afterTotal = cursor.position();
            if (cursor.accept("ofwhich") && cursor.size(draft, Quantity.FREE, Cursor.LONG_UNITS)) {
                cursor.acceptStart("isfree", 1);
            } else {
                cursor.moveTo(afterTotal);
            }
        }
        return true;
    }

    private static boolean otherProcess(Cursor cursor, ReportDraft draft) {
        int before = cursor.position();
        if (cursor.accept("process")) {
            OptionalLong pid = cursor.integer();
            if (pid.isPresent()
                    && cursor.accept("has")
                    && cursor.size(draft, Quantity.OTHER_PROCESS, Cursor.LONG_UNITS)) {
                draft.otherProcess(pid.getAsLong());
                cursor.acceptStart("memoryinuse", 1);
                return true;
            }
        }
        cursor.moveTo(before);
        return false;
    }

    private static boolean ownProcess(Cursor cursor, ReportDraft draft) {
        int before = cursor.position();
        cursor.acceptAny(List.of("includingnon-pytorchmemory,", "includingnonpytorchmemory,"));
        if (cursor.accept("thisprocesshas") && cursor.size(draft, Quantity.PROCESS, Cursor.LONG_UNITS)) {
            cursor.acceptStart("memoryinuse", 1);
            return true;
        }
        cursor.moveTo(before);
        return false;
    }

    private static boolean allowed(Cursor cursor, ReportDraft draft) {
        int before = cursor.position();
        ReportDraft scratch = new ReportDraft(draft.framework(), draft.start());
        if (cursor.size(scratch, Quantity.ALLOWED, Cursor.LONG_UNITS) && cursor.acceptStart("allowed", 3)) {
            draft.absorb(scratch);
            return true;
        }
        cursor.moveTo(before);
        return false;
    }

    private static boolean allocated(Cursor cursor, ReportDraft draft) {
        int before = cursor.position();
        if (!cursor.accept("oftheallocatedmemory") || !cursor.size(draft, Quantity.ALLOCATED, Cursor.LONG_UNITS)) {
            cursor.moveTo(before);
            return false;
        }
        if (!cursor.acceptStart("isallocatedbypytorch", 2)) {
            return true;
        }
        privatePools(cursor, draft);
        unallocated(cursor, draft);
        return true;
    }

    private static void privatePools(Cursor cursor, ReportDraft draft) {
        int before = cursor.position();
        cursor.accept(",");
        if (cursor.accept("with") && cursor.size(draft, Quantity.PRIVATE_POOLS, Cursor.LONG_UNITS)) {
            cursor.acceptStart("allocatedinprivatepools", 1);
            int afterLabel = cursor.position();
            if (!cursor.accept("(") || !cursor.find(")", 32)) {
                cursor.moveTo(afterLabel);
            }
        } else {
            cursor.moveTo(before);
        }
    }

    private static void unallocated(Cursor cursor, ReportDraft draft) {
        int before = cursor.position();
        ReportDraft scratch = new ReportDraft(draft.framework(), draft.start());
        cursor.skipPunctuation(MAX_JUNK);
        if (cursor.accept("and")
                && cursor.size(scratch, Quantity.UNALLOCATED, Cursor.LONG_UNITS)
                && cursor.acceptStart("isreservedbypytorchbutunallocated", 3)) {
            draft.absorb(scratch);
        } else {
            cursor.moveTo(before);
        }
    }
}
