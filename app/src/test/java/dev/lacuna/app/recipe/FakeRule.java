package dev.lacuna.app.recipe;

import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryEvidence;
import java.util.List;

/** What somebody writes who adds a rule over recordings: this file. Its words would stand in a bundle in Lacuna itself. */
public final class FakeRule implements Rule<HistoryEvidence> {
    @Override
    public List<Finding> judge(HistoryEvidence evidence) {
        return List.of(Finding.of("fake-rule", Text.said("the fake rule has looked", "示例规则看过了")));
    }
}
