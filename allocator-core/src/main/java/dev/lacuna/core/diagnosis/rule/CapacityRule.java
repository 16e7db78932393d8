package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import java.util.List;
import java.util.Optional;

/** All numbers are there and nothing else holds: this work needs more memory than there is. */
public final class CapacityRule implements CauseRule {
    @Override
    public Cause cause() {
        return Cause.CAPACITY;
    }

    @Override
    public Optional<Finding> judge(Evidence e) {
        if (e.claims(Claim.EXHAUSTED)) {
            return Optional.of(new Finding(cause().id(), Text.of("finding.capacity.host"), List.of(), Confidence.HIGH));
        }
        if (e.report().isOfHost() || e.tried().isEmpty() || e.withoutOthers().isEmpty()) {
            return Optional.empty();
        }
        long tried = e.tried().getAsLong();
        long bound = e.withoutOthers().getAsLong();
        if (tried <= bound) {
            return Optional.empty();
        }
        return Optional.of(new Finding(
                cause().id(),
                Text.of(
                        "finding.capacity",
                        Text.size(tried),
                        Text.size(e.defragmented().orElseThrow()),
                        Text.size(tried - e.defragmented().orElseThrow())),
                List.of(
                        new Finding.Figure("tried", tried),
                        new Finding.Figure("free", e.free().orElseThrow()),
                        new Finding.Figure("gap", e.usableGap().orElseThrow()),
                        new Finding.Figure("missing", tried - e.defragmented().orElseThrow())),
                e.margin(bound)));
    }

    /** It is what remains when nothing else holds, so beside another cause it says nothing. */
    @Override
    public boolean addsTo(Cause verdict, Evidence e) {
        return false;
    }
}
