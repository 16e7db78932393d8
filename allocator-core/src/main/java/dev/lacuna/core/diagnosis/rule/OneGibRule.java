package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Text;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The field's rule as MindSpeed's documentation states it: reserved − allocated above 1 GiB means fragmentation, turn the
 * optimisation on. Kept beside the verdict because people know it; it says yes in cases that no allocator setting helps
 * and no where a smaller gap would have been enough, which {@link DisagreementRule} then says.
 */
public final class OneGibRule implements NoteRule {
    public static final String ID = "one-gib-rule";

    /** What the rule says; empty when the message gives no gap. */
    public static Optional<Boolean> over(Evidence e) {
        OptionalLong gap = e.gap();
        return gap.isPresent() ? Optional.of(gap.getAsLong() > e.thresholds().gapBytes()) : Optional.empty();
    }

    @Override
    public Optional<Finding> judge(Evidence e, Cause verdict) {
        Optional<Boolean> over = over(e);
        if (over.isEmpty()) {
            return Optional.empty();
        }
        long gap = e.gap().orElseThrow();
        return Optional.of(new Finding(
                ID,
                Text.of(
                        over.get() ? "finding.one-gib-rule.over" : "finding.one-gib-rule.under",
                        Text.size(e.report().reservedBytes().orElseThrow()),
                        Text.size(e.report().allocatedBytes().orElseThrow()),
                        Text.size(gap),
                        Text.size(e.thresholds().gapBytes())),
                List.of(
                        new Finding.Figure("gap", gap),
                        new Finding.Figure("threshold", e.thresholds().gapBytes())),
                Confidence.HIGH));
    }
}
