package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.Trait;
import java.util.List;
import java.util.Optional;

/**
 * A collective (HCCL, NCCL), a library or the driver found no room for itself while the pool kept cache; a collective also
 * where its message stands alone: the pool beside it is what could have left it room.
 */
public final class PoolCrowdsOutRule implements CauseRule {
    @Override
    public Cause cause() {
        return Cause.POOL_CROWDS_OUT;
    }

    @Override
    public Optional<Finding> judge(Evidence e) {
        if (!e.claims(Claim.OUTSIDE_ALLOCATION) || e.report().isOfHost()) {
            return Optional.empty();
        }
        boolean beside = e.report().framework() == Framework.ASCEND_RUNTIME
                && e.surroundings().show(Trait.HCCL);
        if (e.knownGap().isEmpty() && (beside || e.claims(Claim.COLLECTIVE))) {
            return Optional.of(new Finding(
                    cause().id(), Text.of("finding.pool-crowds-out.collective"), List.of(), Confidence.LOW));
        }
        if (e.knownGap().orElse(0) <= 0) {
            return Optional.empty();
        }
        long gap = e.knownGap().getAsLong();
        return Optional.of(new Finding(
                cause().id(),
                Text.of("finding.pool-crowds-out", Text.size(gap)),
                List.of(new Finding.Figure("gap", gap)),
                gap > e.thresholds().gapBytes() ? Confidence.HIGH : Confidence.MEDIUM));
    }
}
