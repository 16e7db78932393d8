package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import java.util.List;
import java.util.Optional;

/** PyTorch counted what its private pools keep free as allocated; the figures here are corrected. */
public final class PrivatePoolsNote implements NoteRule {
    static final String ID = "private-pools";

    @Override
    public Optional<Finding> judge(Evidence e, Cause verdict) {
        Long bytes = e.report().amounts().get(Quantity.PRIVATE_POOLS);
        return bytes == null
                ? Optional.empty()
                : Optional.of(new Finding(
                        ID,
                        Text.of("finding.private-pools", Text.size(bytes)),
                        List.of(new Finding.Figure("private_pools", bytes)),
                        Confidence.HIGH));
    }
}
