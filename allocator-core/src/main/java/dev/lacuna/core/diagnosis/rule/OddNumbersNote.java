package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Text;
import java.util.List;
import java.util.Optional;

/** The message holds a size that no memory has (the driver's "not available"), or figures that contradict each other. */
public final class OddNumbersNote implements NoteRule {
    static final String ID = "impossible-number";

    @Override
    public Optional<Finding> judge(Evidence e, Cause verdict) {
        if (e.isImpossible()) {
            boolean free = e.free().orElse(0) > e.total().orElse(Long.MAX_VALUE);
            Text said = free
                    ? Text.of(
                            "finding.impossible.free",
                            Text.size(e.free().orElseThrow()),
                            Text.size(e.total().orElseThrow()))
                    : Text.of(
                            "finding.impossible.outside", Text.size(e.outside().orElseThrow()));
            return Optional.of(new Finding("impossible-figures", said, List.of(), Confidence.HIGH));
        }
        return e.report().hasImpossibleNumber()
                ? Optional.of(new Finding(ID, Text.of("finding.impossible-number"), List.of(), Confidence.HIGH))
                : Optional.empty();
    }
}
