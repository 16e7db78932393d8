package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import java.util.List;
import java.util.Set;

/** A cap is given, the request would cross it, and the device had room; or the message says that a limit was hit. */
public final class LimitRule implements Rule<Evidence> {
    @Override
    public List<Finding> judge(Evidence e) {
        OomReport r = e.report();
        boolean given = r.allowedBytes().isPresent()
                && r.reservedBytes().isPresent()
                && e.tried().isPresent()
                && e.free().isPresent();
        if (given
                && r.reservedBytes().getAsLong() + e.tried().getAsLong()
                        > r.allowedBytes().getAsLong()
                && e.free().getAsLong() >= e.tried().getAsLong()) {
            return List.of(byNumbers(e, "finding.limit"));
        }
        if (r.framework() == Framework.PYTORCH_ROCM && NearLimitNote.holds(e)) {
            return List.of(byNumbers(e, "finding.limit.rounded").sure(Confidence.MEDIUM));
        }
        if (r.isOfHost()) {
            return e.claims(Claim.LIMIT) ? List.of(ofHost(e)) : List.of();
        }
        if (e.request().isOverSingleLimit() && !e.claims(Claim.LIMIT)) {
            return List.of(Finding.of(
                            Cause.LIMIT,
                            Text.of(
                                    "finding.limit.single",
                                    Text.size(e.tried().orElseThrow()),
                                    Text.size(r.reservedBytes().orElseThrow()),
                                    Text.size(e.total().orElseThrow())))
                    .sure(Confidence.MEDIUM));
        }
        if (r.library().filter("rmm"::equals).isPresent() && e.claims(Claim.LIMIT)) {
            return List.of(Finding.of(Cause.LIMIT, Text.of("finding.limit.rmm")).sure(Confidence.MEDIUM));
        }
        if (e.claims(Claim.SHARE_TOO_SMALL)) {
            return List.of(Finding.of(Cause.LIMIT, Text.of("finding.limit.share")));
        }
        if (r.library().filter("llama.cpp"::equals).isPresent()
                && e.claims(Claim.LIMIT)
                && e.tried().isPresent()) {
            return List.of(Finding.of(
                    Cause.LIMIT,
                    Text.of("finding.limit.buffer", Text.size(e.tried().getAsLong()))));
        }
        return e.claims(Claim.LIMIT) && !wouldFit(r)
                ? List.of(
                        Finding.of(Cause.LIMIT, Text.of(fillsMetal(r) ? "finding.limit.mps" : "finding.limit.stated")))
                : List.of();
    }

    private static boolean fillsMetal(OomReport r) {
        return r.framework() == Framework.PYTORCH_MPS && r.triedBytes().isPresent();
    }

    /** Metal prints what it counts: where all of it and the request stay below its cap, the cap was not what refused. */
    private static boolean wouldFit(OomReport r) {
        boolean known = r.framework() == Framework.PYTORCH_MPS
                && r.allowedBytes().isPresent()
                && r.allocatedBytes().isPresent()
                && r.amount(Quantity.OTHER_ALLOCATIONS).isPresent();
        return known
                && r.allocatedBytes().getAsLong()
                                + r.amount(Quantity.OTHER_ALLOCATIONS).getAsLong()
                                + r.triedBytes().orElse(0)
                        < r.allowedBytes().getAsLong() - CLEAR;
    }

    private static final long CLEAR = 256L << 20;

    /** Whose limit of the host it was, as far as the message says; a bus error only suggests it. */
    private Finding ofHost(Evidence e) {
        String by = e.report().library().orElse("");
        String whose = e.claims(Claim.SHARED_MEMORY)
                ? by.equals("nccl")
                        ? "shared-memory.collective"
                        : by.equals("multiprocessing") ? "shared-memory.locks" : "shared-memory"
                : e.claims(Claim.PAGING_FILE)
                        ? "paging-file"
                        : e.claims(Claim.SLURM) || e.claims(Claim.BATCH_SYSTEM)
                                ? "job"
                                : e.claims(Claim.RAY) ? "ray" : byItself(e, by);
        Confidence sure = e.claims(Claim.SHARED_MEMORY) ? Confidence.MEDIUM : Confidence.HIGH;
        return Finding.of(Cause.LIMIT, Text.of("finding.limit.host." + whose)).sure(sure);
    }

    private static final Set<String> OWN_LIMITS = Set.of("dask", "java", "earlyoom", "systemd-oomd");

    /** A limit that the program, or the kernel for one process, has set itself. */
    private static String byItself(Evidence e, String by) {
        if (e.claims(Claim.MAPPINGS)) {
            return "mappings";
        }
        return OWN_LIMITS.contains(by) ? by : "container";
    }

    private Finding byNumbers(Evidence e, String key) {
        long allowed = e.report().allowedBytes().orElseThrow();
        long reserved = e.report().reservedBytes().orElseThrow();
        long tried = e.tried().orElseThrow();
        long free = e.free().orElseThrow();
        return Finding.of(
                        Cause.LIMIT,
                        Text.of(key, Text.size(reserved), Text.size(tried), Text.size(allowed), Text.size(free)))
                .with("reserved", reserved)
                .with("tried", tried)
                .with("allowed", allowed)
                .with("free", free);
    }
}
