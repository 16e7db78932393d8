package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.model.Verdict;
import java.util.List;
import java.util.Optional;

/** Says plainly when the field's 1 GiB rule and the verdict point different ways. */
public final class DisagreementRule implements Rule<Verdict> {
    public static final String ID = "disagreement";

    @Override
    public List<Finding> judge(Verdict verdict) {
        Evidence e = verdict.evidence();
        Optional<Boolean> over = OneGibRule.over(e);
        boolean fragmented = verdict.cause() == Cause.FRAGMENTATION || verdict.cause() == Cause.POOL_CROWDS_OUT;
        if (over.isEmpty() || verdict.cause() == Cause.UNKNOWN || over.get() == fragmented) {
            return List.of();
        }
        long gap = e.gap().orElseThrow();
        Text sentence = over.get()
                ? Text.of(
                        "finding.disagreement.over",
                        Text.size(gap),
                        Text.text(Text.of("cause." + verdict.cause().id())))
                : Text.of(
                        "finding.disagreement.under",
                        Text.size(gap),
                        Text.size(e.thresholds().gapBytes()));
        return List.of(Finding.of(ID, sentence).with("gap", gap));
    }
}
