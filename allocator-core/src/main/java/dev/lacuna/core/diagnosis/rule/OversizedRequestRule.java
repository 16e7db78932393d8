package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import java.util.List;

/** More was tried than the device has in all, or the message says that no device could hold it. */
public final class OversizedRequestRule implements Rule<Evidence> {
    @Override
    public List<Finding> judge(Evidence e) {
        if (e.claims(Claim.OVERSIZED)) {
            Text stated =
                    e.report().framework() == Framework.PYTORCH_MPS && e.tried().isPresent()
                            ? Text.of(
                                    "finding.oversized-request.buffer",
                                    Text.size(e.tried().getAsLong()))
                            : Text.of("finding.oversized-request.stated");
            return List.of(Finding.of(Cause.OVERSIZED_REQUEST, stated));
        }
        if (e.claims(Claim.WHOLE_PROGRAM) || e.claims(Claim.HELD_BY_OTHERS)) {
            return List.of(); // Not one request.
        }
        if (e.request().isAbsurd()) {
            return List.of(Finding.of(
                            Cause.OVERSIZED_REQUEST,
                            Text.of(
                                    e.request().isStartShare()
                                            ? "finding.oversized-request.start-share"
                                            : "finding.oversized-request.absurd",
                                    Text.size(e.tried().getAsLong())))
                    .with("tried", e.tried().getAsLong()));
        }
        if (e.request().isOnLargerCard()) {
            return List.of(); // What is told of the device's size contradicts itself.
        }
        if (e.tried().isEmpty()
                || e.total().isEmpty()
                || e.tried().getAsLong() <= e.total().getAsLong()) {
            return List.of();
        }
        long tried = e.tried().getAsLong();
        long total = e.total().getAsLong();
        return List.of(Finding.of(
                        Cause.OVERSIZED_REQUEST,
                        Text.of("finding.oversized-request", Text.size(tried), Text.size(total)))
                .with("tried", tried)
                .with("total", total));
    }
}
