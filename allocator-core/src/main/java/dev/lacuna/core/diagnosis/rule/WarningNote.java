package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.model.Verdict;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import java.util.List;

/** The framework says itself that it went on. */
public final class WarningNote implements Rule<Verdict> {
    static final String ID = "not-a-failure";

    @Override
    public List<Finding> judge(Verdict verdict) {
        Evidence e = verdict.evidence();
        return e.claims(Claim.NOT_A_FAILURE) ? List.of(Finding.of(ID, Text.of("finding.not-a-failure"))) : List.of();
    }
}
