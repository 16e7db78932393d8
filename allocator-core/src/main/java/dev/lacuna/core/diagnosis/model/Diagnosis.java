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
 * @param gapOverThreshold what the field's 1 GiB rule says; empty when the message gives no gap
 * @param findings the verdict's reason first, with what to do about it; then what else is worth saying
 */
public record Diagnosis(
        OomReport report,
        Cause cause,
        List<Cause> also,
        Optional<Cause> runnerUp,
        Thresholds thresholds,
        Optional<Boolean> gapOverThreshold,
        List<Finding> findings) {

    public Diagnosis {
        also = List.copyOf(also);
        findings = List.copyOf(findings);
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

    /** How sure the verdict is. */
    public Confidence confidence() {
        return reason().confidence();
    }

    /** The verdict in a few words. */
    public Text headline() {
        return reason().summary();
    }

    /** Whether the device was full, and pieces, or little outside the pool, only decided this one request. */
    public boolean isOfNearlyFullDevice() {
        return headline().key().equals("headline.fragmentation.full")
                || headline().key().equals("headline.outside-the-pool.slight");
    }

    /** Whether it was an evaluation that kept too much, and pieces only decided when. */
    public boolean isOfEvaluation() {
        return headline().key().equals("headline.fragmentation.evaluation");
    }

    /** What to do about it, best first. */
    public List<Remedy> remedies() {
        return reason().remedies();
    }

    /** Why the verdict is what it is. */
    public Finding reason() {
        return findings.get(0);
    }
}
