package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Finding.Severity;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.model.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The field's rule as MindSpeed's documentation states it: reserved − allocated above 1 GiB means fragmentation, turn the
 * optimisation on. Kept beside the verdict because people know it; it says yes in cases that no allocator setting helps
 * and no where a smaller gap would have been enough, which {@link DisagreementRule} then says.
 */
public final class OneGibRule implements Rule<Verdict> {
    public static final String ID = "one-gib-rule";

    /** What the rule says; empty when the message gives no gap. */
    public static Optional<Boolean> over(Evidence e) {
        OptionalLong gap = e.gap();
        return gap.isPresent() ? Optional.of(gap.getAsLong() > e.thresholds().gapBytes()) : Optional.empty();
    }

    @Override
    public List<Finding> judge(Verdict verdict) {
        Evidence e = verdict.evidence();
        Optional<Boolean> over = over(e);
        if (over.isEmpty()) {
            return List.of();
        }
        long gap = e.gap().orElseThrow();
        return List.of(Finding.of(
                        ID,
                        Text.of(
                                over.get() ? "finding.one-gib-rule.over" : "finding.one-gib-rule.under",
                                Text.size(e.report().reservedBytes().orElseThrow()),
                                Text.size(e.report().allocatedBytes().orElseThrow()),
                                Text.size(gap),
                                Text.size(e.thresholds().gapBytes())))
                .with("gap", gap)
                .with("threshold", e.thresholds().gapBytes())
                .weighing(over.get() ? Severity.WASTE : Severity.NOTE));
    }
}
