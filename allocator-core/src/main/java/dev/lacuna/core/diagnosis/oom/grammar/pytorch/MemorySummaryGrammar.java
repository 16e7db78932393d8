package dev.lacuna.core.diagnosis.oom.grammar.pytorch;

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

/**
 * The table of {@code torch.cuda.memory_summary()}, where it counts an out-of-memory: what is allocated, active and reserved
 * now. One that counts none is a table and no report.
 */
public final class MemorySummaryGrammar implements OomGrammar {
    private static final String HEAD = "cudamemorysummary,deviceid";
    private static final int ROWS = 900;

    /** A row of the table: its name, and the figure in the column of what is in use. */
    private record Row(String name, Quantity quantity) {}

    private static final List<Row> TABLE = List.of(
            new Row("allocatedmemory|", Quantity.ALLOCATED),
            new Row("activememory|", Quantity.ACTIVE),
            new Row("gpureservedmemory|", Quantity.RESERVED));

    @Override
    public List<String> anchors() {
        return List.of(HEAD);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        cursor.accept(HEAD);
        ReportDraft draft = new ReportDraft(Framework.PYTORCH_CUDA, anchor).claims(Claim.TABLE);
        OptionalLong device = cursor.integer();
        device.ifPresent(id -> draft.on("GPU", id));
        if (!cursor.find("cudaooms:", 160) || cursor.integer().orElse(0) == 0) {
            return Optional.empty();
        }
        draft.upTo(cursor.position());
        for (Row row : TABLE) {
            if (cursor.find(row.name(), ROWS)) {
                cursor.size(draft, row.quantity(), Cursor.ALL_UNITS);
            }
        }
        return Optional.of(draft);
    }
}
