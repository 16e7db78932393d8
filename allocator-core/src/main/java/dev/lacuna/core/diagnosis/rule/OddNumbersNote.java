package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.model.Verdict;
import java.util.List;

/** The message holds a size that no memory has (the driver's "not available"), or figures that contradict each other. */
public final class OddNumbersNote implements Rule<Verdict> {
    static final String ID = "impossible-number";

    @Override
    public List<Finding> judge(Verdict verdict) {
        Evidence e = verdict.evidence();
        if (e.fullness().isImpossible()) {
            boolean free = e.free().orElse(0) > e.total().orElse(Long.MAX_VALUE);
            Text said = free
                    ? Text.of(
                            "finding.impossible.free",
                            Text.size(e.free().orElseThrow()),
                            Text.size(e.total().orElseThrow()))
                    : Text.of(
                            "finding.impossible.outside", Text.size(e.outside().orElseThrow()));
            return List.of(Finding.of("impossible-figures", said));
        }
        return e.report().hasImpossibleNumber()
                ? List.of(Finding.of(ID, Text.of("finding.impossible-number")))
                : List.of();
    }
}
