package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Text;
import java.util.List;
import java.util.Optional;

/** The message holds a size that no memory has: the driver's "not available". */
public final class OddNumbersNote implements NoteRule {
    static final String ID = "impossible-number";

    @Override
    public Optional<Finding> judge(Evidence e, Cause verdict) {
        return e.report().hasImpossibleNumber()
                ? Optional.of(new Finding(ID, Text.of("finding.impossible-number"), List.of(), Confidence.HIGH))
                : Optional.empty();
    }
}
