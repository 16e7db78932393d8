package dev.lacuna.core.diagnosis.model;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The verdict on one out-of-memory report.
 *
 * @param report the message
 * @param cause the first cause that holds
 * @param also further causes that hold
 * @param runnerUp the cause that comes next, where it is close
 * @param thresholds what counted as much
 * @param confidence how sure the verdict is
 * @param headline the verdict in a few words
 * @param gapOverThreshold what the field's 1 GiB rule says; empty when the message gives no gap
 * @param findings the verdict's reason first, then what else is worth saying
 * @param remedies best first
 */
public record Diagnosis(
        OomReport report,
        Cause cause,
        List<Cause> also,
        Optional<Cause> runnerUp,
        Thresholds thresholds,
        Confidence confidence,
        Text headline,
        Optional<Boolean> gapOverThreshold,
        List<Finding> findings,
        List<Remedy> remedies) {

    public Diagnosis {
        also = List.copyOf(also);
        findings = List.copyOf(findings);
        remedies = List.copyOf(remedies);
    }

    /** Reserved − allocated, in bytes. */
    public OptionalLong gapBytes() {
        return report.gapBytes();
    }

    /** Total − free − reserved, in bytes. */
    public OptionalLong outsideBytes() {
        return report.outsideBytes();
    }

    /** Whether anything failed: a framework that says itself that it went on only warned. */
    public boolean isFailure() {
        return !report.claims().contains(Claim.NOT_A_FAILURE);
    }

    /** Why the verdict is what it is. */
    public Finding reason() {
        return findings.get(0);
    }
}
