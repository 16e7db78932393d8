package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Text;
import java.util.List;
import java.util.Optional;

/** Says plainly when the field's 1 GiB rule and the verdict point different ways. */
public final class DisagreementRule implements NoteRule {
    public static final String ID = "disagreement";

    @Override
    public Optional<Finding> judge(Evidence e, Cause verdict) {
        Optional<Boolean> over = OneGibRule.over(e);
        boolean fragmented = verdict == Cause.FRAGMENTATION || verdict == Cause.POOL_CROWDS_OUT;
        if (over.isEmpty() || verdict == Cause.UNKNOWN || over.get() == fragmented) {
            return Optional.empty();
        }
        long gap = e.gap().orElseThrow();
        Text sentence = over.get()
                ? Text.of("finding.disagreement.over", Text.size(gap), Text.text(Text.of("cause." + verdict.id())))
                : Text.of(
                        "finding.disagreement.under",
                        Text.size(gap),
                        Text.size(e.thresholds().gapBytes()));
        return Optional.of(new Finding(ID, sentence, List.of(new Finding.Figure("gap", gap)), Confidence.HIGH));
    }
}
