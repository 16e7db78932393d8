package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import java.util.List;
import java.util.Optional;

/** More was tried than the device has in all, or the message says that no device could hold it. */
public final class OversizedRequestRule implements CauseRule {
    @Override
    public Cause cause() {
        return Cause.OVERSIZED_REQUEST;
    }

    @Override
    public Optional<Finding> judge(Evidence e) {
        if (e.claims(Claim.OVERSIZED)) {
            Text stated =
                    e.report().framework() == Framework.PYTORCH_MPS && e.tried().isPresent()
                            ? Text.of(
                                    "finding.oversized-request.buffer",
                                    Text.size(e.tried().getAsLong()))
                            : Text.of("finding.oversized-request.stated");
            return Optional.of(new Finding(cause().id(), stated, List.of(), Confidence.HIGH));
        }
        if (e.claims(Claim.WHOLE_PROGRAM) || e.claims(Claim.HELD_BY_OTHERS)) {
            return Optional.empty(); // Not one request.
        }
        if (e.isAbsurd()) {
            return Optional.of(new Finding(
                    cause().id(),
                    Text.of(
                            "finding.oversized-request.absurd",
                            Text.size(e.tried().getAsLong())),
                    List.of(new Finding.Figure("tried", e.tried().getAsLong())),
                    Confidence.HIGH));
        }
        if (e.tried().isEmpty()
                || e.total().isEmpty()
                || e.tried().getAsLong() <= e.total().getAsLong()) {
            return Optional.empty();
        }
        long tried = e.tried().getAsLong();
        long total = e.total().getAsLong();
        return Optional.of(new Finding(
                cause().id(),
                Text.of("finding.oversized-request", Text.size(tried), Text.size(total)),
                List.of(new Finding.Figure("tried", tried), new Finding.Figure("total", total)),
                Confidence.HIGH));
    }
}
