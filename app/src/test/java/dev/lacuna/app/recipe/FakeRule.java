package dev.lacuna.app.recipe;

import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.snapshot.evidence.FindingRule;
import dev.lacuna.core.diagnosis.snapshot.evidence.FindingSubject;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryEvidence;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryFinding;
import java.util.List;

/** What somebody writes who adds a rule over recordings: this file, and its words. */
public final class FakeRule implements FindingRule {
    @Override
    public List<HistoryFinding> find(HistoryEvidence evidence) {
        return List.of(new HistoryFinding(
                "fake-rule",
                HistoryFinding.Weight.NOTE,
                Text.of("finding.gap.title"),
                Text.of("finding.gap.caching"),
                1,
                0,
                new FindingSubject.Moment(),
                List.of()));
    }
}
