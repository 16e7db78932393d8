package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.model.Verdict;
import java.util.List;

/**
 * The cap is met to within what the printing shows: figures of two decimals of a GiB are up to 5 MiB off each, so a cap
 * that was hit can look as if it were just kept. The verdict follows the printed figures; this note says what they hide.
 */
public final class NearLimitNote implements Rule<Verdict> {
    public static final String ID = "near-limit";

    /** Half of the last printed digit of a GiB, for each of the figures compared. */
    private static final long PRECISION_BYTES = 3 * ((1L << 30) / 200);

    @Override
    public List<Finding> judge(Verdict verdict) {
        Evidence e = verdict.evidence();
        if (verdict.cause() == Cause.LIMIT || !holds(e)) {
            return List.of();
        }
        long allowed = e.report().allowedBytes().orElseThrow();
        return List.of(Finding.of(ID, Text.of("finding.near-limit", Text.size(allowed)))
                .with("allowed", allowed)
                .sure(Confidence.MEDIUM));
    }

    /** Whether reserved and what was tried reach the cap within the printing's precision, while the device had room. */
    public static boolean holds(Evidence e) {
        boolean given = e.report().allowedBytes().isPresent()
                && e.report().reservedBytes().isPresent()
                && e.tried().isPresent()
                && e.free().isPresent();
        return given
                && e.free().getAsLong() >= e.tried().getAsLong()
                && e.report().reservedBytes().getAsLong() + e.tried().getAsLong()
                        > e.report().allowedBytes().getAsLong() - PRECISION_BYTES;
    }
}
