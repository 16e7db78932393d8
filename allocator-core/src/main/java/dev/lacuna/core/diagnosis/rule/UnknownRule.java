package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import java.util.ArrayList;
import java.util.List;

/** The message does not give enough for a verdict; the finding says what is missing. Always holds. */
public final class UnknownRule implements Rule<Evidence> {
    @Override
    public List<Finding> judge(Evidence e) {
        if (e.report().isOfHost()) {
            return List.of(Finding.of(Cause.UNKNOWN, ofHost(e)).sure(Confidence.LOW));
        }
        if (isOfWholeDevice(e)
                && e.free().getAsLong() + e.report().allocatedBytes().getAsLong() == 0) {
            return List.of(Finding.of(Cause.UNKNOWN, Text.of("finding.unknown.no-reading"))
                    .sure(Confidence.LOW));
        }
        if (isOfWholeDevice(e)) {
            Text why = Text.of(
                    "finding.unknown.in-use",
                    Text.size(e.tried().getAsLong()),
                    Text.size(e.free().getAsLong()),
                    Text.size(e.report().allocatedBytes().getAsLong()));
            return List.of(Finding.of(Cause.UNKNOWN, why).sure(Confidence.LOW));
        }
        List<String> missing = new ArrayList<>();
        if (e.tried().isEmpty() && e.request().largestAsked() == 0) {
            missing.add("tried");
        }
        if (e.total().isEmpty()) {
            missing.add("total");
        }
        if (e.free().isEmpty()) {
            missing.add("free");
        }
        if (e.report().reservedBytes().isEmpty()) {
            missing.add("reserved");
        }
        if (e.report().allocatedBytes().isEmpty()) {
            missing.add("allocated");
        }
        String library = "finding.unknown.library" + (e.tried().isPresent() ? ".asked" : "");
        String key = e.claims(Claim.OUTSIDE_ALLOCATION) ? library : "finding.unknown";
        Text why = e.tried().isPresent()
                ? Text.of(
                        key,
                        Text.word(String.join(", ", missing)),
                        Text.size(e.tried().getAsLong()))
                : Text.of(key, Text.word(String.join(", ", missing)));
        return List.of(Finding.of(Cause.UNKNOWN, why).sure(Confidence.LOW));
    }

    /** Paddle counts what of the device is in use, by whomever. */
    private static boolean isOfWholeDevice(Evidence e) {
        return e.report().framework() == Framework.PADDLE
                && e.tried().isPresent()
                && e.free().isPresent()
                && e.report().allocatedBytes().isPresent();
    }

    private static Text ofHost(Evidence e) {
        if (e.claims(Claim.KILLED)) {
            return Text.of("finding.unknown.killed");
        }
        return e.tried().isPresent()
                ? Text.of("finding.unknown.host.asked", Text.size(e.tried().getAsLong()))
                : Text.of("finding.unknown.host");
    }
}
