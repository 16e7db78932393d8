package dev.lacuna.core.diagnosis.oom.grammar.pytorch;

import dev.lacuna.core.diagnosis.oom.model.MessageForm;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import dev.lacuna.core.diagnosis.oom.model.Setting;
import dev.lacuna.core.diagnosis.oom.passage.Cursor;
import dev.lacuna.core.diagnosis.oom.passage.ReportDraft;
import java.util.List;

/**
 * {@code (GPU 0; 8.00 GiB total capacity; 5.41 GiB already allocated; … reserved in total by PyTorch)}: clauses of a size
 * and a label, in any order, any of which may be missing or cut. Lacuna adds the gap's parts behind.
 */
final class TorchParentheses {
    private static final int MAX_CLAUSES = 12;
    private static final int MAX_STRANGE_LABEL = 40;

    /** A label and how many of its letters must stand to be told from the others. */
    private record Label(String word, int least, Quantity quantity) {}

    private static final List<Label> LABELS = List.of(
            new Label("totalcapacity", 5, Quantity.TOTAL),
            new Label("alreadyallocated", 3, Quantity.ALLOCATED),
            new Label("currentactivate", 3, Quantity.ACTIVE),
            new Label("free", 4, Quantity.FREE),
            new Label("allowed", 3, Quantity.ALLOWED),
            new Label("reservedintotalbypytorch", 3, Quantity.RESERVED),
            new Label("cached", 3, Quantity.CACHED));

    private TorchParentheses() {}

    /** Reads from before the opening parenthesis; whether anything was understood. */
    static boolean read(Cursor cursor, ReportDraft draft) {
        int before = cursor.position();
        if (!cursor.find("(", 3)) {
            return false;
        }
        boolean device = TorchGrammar.readDevice(cursor, draft);
        int numbers = draft.numberCount();
        int clauses = 0;
        while (clauses < MAX_CLAUSES && readClause(cursor, draft)) {
            clauses++;
        }
        if (!device && draft.numberCount() == numbers) {
            cursor.moveTo(before);
            return false;
        }
        draft.form(draft.has(Quantity.CACHED) ? MessageForm.CACHED : MessageForm.RESERVED_IN_TOTAL);
        if (cursor.accept(")")) {
            draft.upTo(cursor.position());
            readGap(cursor, draft);
        }
        return true;
    }

    private static boolean readClause(Cursor cursor, ReportDraft draft) {
        int before = cursor.position();
        while (!cursor.at(")") && cursor.position() - before < 6) {
            int at = cursor.position();
            cursor.skipPunctuation(1);
            if (cursor.position() == at) {
                break;
            }
        }
        for (Label label : LABELS) {
            if (labelledSize(cursor, draft, label)) {
                return true;
            }
        }
        return strangeClause(cursor, before);
    }

    /** The label is looked at before the number is noted, so that a size without its label is not taken for another. */
    private static boolean labelledSize(Cursor cursor, ReportDraft draft, Label label) {
        int before = cursor.position();
        ReportDraft scratch = new ReportDraft(draft.framework(), draft.start());
        if (cursor.size(scratch, label.quantity(), Cursor.LONG_UNITS)
                && cursor.acceptStart(label.word(), label.least())) {
            draft.absorb(scratch.upTo(cursor.position()));
            return true;
        }
        cursor.moveTo(before);
        return false;
    }

    /** A clause of a kind not known here is stepped over. */
    private static boolean strangeClause(Cursor cursor, int before) {
        return !cursor.at(")") && cursor.find(";", MAX_STRANGE_LABEL) && cursor.position() > before;
    }

    /** {@code gap 707.00 MiB: 0 bytes releasable, 707.00 MiB split, 0 bytes pending. Optimisation off.} */
    private static void readGap(Cursor cursor, ReportDraft draft) {
        int before = cursor.position();
        cursor.skipPunctuation(2);
        if (!cursor.accept("gap") || !cursor.size(draft, Quantity.GAP, Cursor.LONG_UNITS)) {
            cursor.moveTo(before);
            return;
        }
        cursor.accept(":");
        part(cursor, draft, Quantity.RELEASABLE, "releasable");
        part(cursor, draft, Quantity.SPLIT, "split");
        part(cursor, draft, Quantity.PENDING, "pending");
        cursor.accept(".");
        if (cursor.accept("optimisationon")) {
            draft.shows(Setting.OPTIMISATION);
        } else {
            cursor.accept("optimisationoff");
        }
        cursor.accept(".");
        draft.upTo(cursor.position());
    }

    private static void part(Cursor cursor, ReportDraft draft, Quantity quantity, String label) {
        if (cursor.size(draft, quantity, Cursor.LONG_UNITS)) {
            cursor.accept(label);
            cursor.accept(",");
        }
    }
}
