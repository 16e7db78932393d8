package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.Trait;
import java.util.List;

/**
 * A collective (HCCL, NCCL), a library or the driver found no room for itself while the pool kept cache; a collective also
 * where its message stands alone: the pool beside it is what could have left it room.
 */
public final class PoolCrowdsOutRule implements Rule<Evidence> {
    @Override
    public List<Finding> judge(Evidence e) {
        if (!e.claims(Claim.OUTSIDE_ALLOCATION) || e.report().isOfHost()) {
            return List.of();
        }
        boolean beside = e.report().framework() == Framework.ASCEND_RUNTIME
                && e.surroundings().show(Trait.HCCL);
        if (e.knownGap().isEmpty() && (beside || e.claims(Claim.COLLECTIVE))) {
            return List.of(Finding.of(Cause.POOL_CROWDS_OUT, Text.of("finding.pool-crowds-out.collective"))
                    .sure(Confidence.LOW));
        }
        if (e.knownGap().orElse(0) <= 0) {
            return List.of();
        }
        long gap = e.knownGap().getAsLong();
        return List.of(Finding.of(Cause.POOL_CROWDS_OUT, Text.of("finding.pool-crowds-out", Text.size(gap)))
                .with("gap", gap)
                .sure(gap > e.thresholds().gapBytes() ? Confidence.HIGH : Confidence.MEDIUM));
    }
}
