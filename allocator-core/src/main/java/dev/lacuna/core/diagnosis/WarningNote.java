package dev.lacuna.core.diagnosis;

import dev.lacuna.core.oom.Claim;
import java.util.List;
import java.util.Optional;

/** The framework says itself that it went on. */
final class WarningNote implements NoteRule {
    static final String ID = "not-a-failure";

    @Override
    public Optional<Finding> judge(Evidence e, Cause verdict) {
        return e.claims(Claim.NOT_A_FAILURE)
                ? Optional.of(new Finding(ID, Text.of("finding.not-a-failure"), List.of(), Confidence.HIGH))
                : Optional.empty();
    }
}
