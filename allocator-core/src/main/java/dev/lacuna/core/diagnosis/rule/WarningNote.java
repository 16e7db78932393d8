package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import java.util.List;
import java.util.Optional;

/** The framework says itself that it went on. */
public final class WarningNote implements NoteRule {
    static final String ID = "not-a-failure";

    @Override
    public Optional<Finding> judge(Evidence e, Cause verdict) {
        return e.claims(Claim.NOT_A_FAILURE)
                ? Optional.of(new Finding(ID, Text.of("finding.not-a-failure"), List.of(), Confidence.HIGH))
                : Optional.empty();
    }
}
