package dev.lacuna.app.recipe;

import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import dev.lacuna.core.diagnosis.oom.passage.Cursor;
import dev.lacuna.core.diagnosis.oom.passage.OomGrammar;
import dev.lacuna.core.diagnosis.oom.passage.Passage;
import dev.lacuna.core.diagnosis.oom.passage.ReportDraft;
import java.util.List;
import java.util.Optional;

/** What somebody writes who adds messages of a framework: this file. */
public final class FakeGrammar implements OomGrammar {
    private static final String ANCHOR = "fakeframework:nomemoryfor";

    @Override
    public List<String> anchors() {
        return List.of(ANCHOR);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        ReportDraft draft = new ReportDraft(Framework.OTHER, anchor);
        Cursor cursor = new Cursor(passage, anchor);
        return cursor.accept(ANCHOR) && cursor.size(draft, Quantity.TRIED, Cursor.ALL_UNITS)
                ? Optional.of(draft)
                : Optional.empty();
    }
}
