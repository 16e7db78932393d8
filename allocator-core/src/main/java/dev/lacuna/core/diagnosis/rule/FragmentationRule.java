package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import java.util.List;
import java.util.Optional;

/**
 * free &lt; tried ≤ free + usable gap: at an out-of-memory the allocator has given back every wholly free segment, so the gap is
 * free pieces of segments in use, and joined with what is free they would have been enough.
 */
public final class FragmentationRule implements CauseRule {
    @Override
    public Cause cause() {
        return Cause.FRAGMENTATION;
    }

    @Override
    public Optional<Finding> judge(Evidence e) {
        if (e.claims(Claim.FRAGMENTED) && e.free().orElse(0) >= e.tried().orElse(Long.MAX_VALUE)) {
            return Optional.of(new Finding(
                    cause().id(),
                    Text.of(
                            "finding.fragmentation.stated",
                            Text.size(e.tried().orElseThrow()),
                            Text.size(e.free().orElseThrow())),
                    List.of(),
                    Confidence.HIGH));
        }
        if (e.tried().isEmpty() || e.defragmented().isEmpty() || e.isSpilled() || e.fillsByLoading()) {
            return Optional.empty();
        }
        long tried = e.tried().getAsLong();
        long free = e.free().orElseThrow();
        long gap = e.usableGap().orElseThrow();
        long sum = e.defragmented().getAsLong();
        if (tried <= free || tried > sum) {
            return Optional.empty();
        }
        return Optional.of(new Finding(
                cause().id(),
                Text.of("finding.fragmentation", Text.size(tried), Text.size(free), Text.size(gap), Text.size(sum)),
                List.of(
                        new Finding.Figure("tried", tried),
                        new Finding.Figure("free", free),
                        new Finding.Figure("gap", gap),
                        new Finding.Figure("free_and_gap", sum)),
                e.margin(sum)));
    }
}
