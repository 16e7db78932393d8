package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import java.util.List;

/**
 * free &lt; tried ≤ free + usable gap: at an out-of-memory the allocator has given back every wholly free segment, so the gap is
 * free pieces of segments in use, and joined with what is free they would have been enough.
 */
public final class FragmentationRule implements Rule<Evidence> {
    @Override
    public List<Finding> judge(Evidence e) {
        if (e.claims(Claim.FRAGMENTED) && e.free().orElse(0) >= e.tried().orElse(Long.MAX_VALUE)) {
            return List.of(Finding.of(
                    Cause.FRAGMENTATION,
                    Text.of(
                            "finding.fragmentation.stated",
                            Text.size(e.tried().orElseThrow()),
                            Text.size(e.free().orElseThrow()))));
        }
        if (e.tried().isEmpty()
                || e.room().defragmented().isEmpty()
                || e.fullness().isSpilled()
                || e.fullness().fillsByLoading()) {
            return List.of();
        }
        long tried = e.tried().getAsLong();
        long free = e.free().orElseThrow();
        long gap = e.room().usableGap().orElseThrow();
        long sum = e.room().defragmented().getAsLong();
        boolean last = e.fullness().isLastOfDevice() && gap > e.thresholds().gapBytes();
        if (tried <= free && !last && !e.room().isFreeRoundedUp() || tried > sum) {
            return List.of();
        }
        return List.of(Finding.of(
                        Cause.FRAGMENTATION,
                        Text.of(
                                "finding.fragmentation",
                                Text.size(tried),
                                Text.size(free),
                                Text.size(gap),
                                Text.size(sum)))
                .with("tried", tried)
                .with("free", free)
                .with("gap", gap)
                .with("free_and_gap", sum)
                .sure(e.room().margin(sum)));
    }
}
