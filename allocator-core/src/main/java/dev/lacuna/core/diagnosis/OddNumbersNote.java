package dev.lacuna.core.diagnosis;

import java.util.List;
import java.util.Optional;

/** The message holds a size that no memory has: the driver's "not available". */
final class OddNumbersNote implements NoteRule {
    static final String ID = "impossible-number";

    @Override
    public Optional<Finding> judge(Evidence e, Cause verdict) {
        return e.report().hasImpossibleNumber()
                ? Optional.of(new Finding(ID, Text.of("finding.impossible-number"), List.of(), Confidence.HIGH))
                : Optional.empty();
    }
}
