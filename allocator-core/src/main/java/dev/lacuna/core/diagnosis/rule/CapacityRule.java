package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

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
        if (e.tried().isPresent() && (e.isSpilled() || e.fillsByLoading())) {
            return Optional.of(e.isSpilled() ? spilled(e) : byLoading(e));
        }
        if (e.beyondWhole().isPresent()) {
            return Optional.of(byAllocated(e, e.beyondWhole().getAsLong()));
        }
        if (e.report().isOfHost() || e.tried().isEmpty()) {
            return Optional.empty();
        }
        if (e.withoutOthers().isEmpty()) {
            return withoutPool(e);
        }
        long tried = e.tried().getAsLong();
        long bound = e.withoutOthers().getAsLong();
        if (e.wouldFitWithoutOthers()) {
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

    /** On Windows a driver lets tensors grow beyond the card, until the host has no more for them either. */
    private Finding spilled(Evidence e) {
        long allocated = e.report().allocatedBytes().orElseThrow();
        long total = e.total().orElseThrow();
        return new Finding(
                cause().id(),
                Text.of("finding.capacity.spilled", Text.size(allocated), Text.size(total)),
                List.of(
                        new Finding.Figure("allocated", allocated),
                        new Finding.Figure("total", total),
                        new Finding.Figure("missing", e.missing().orElseThrow())),
                Confidence.HIGH);
    }

    /** Loading adds one tensor to the next and frees none: closing the gap would carry it to a later one. */
    private Finding byLoading(Evidence e) {
        long gap = e.usableGap().orElseThrow();
        return new Finding(
                cause().id(),
                Text.of(
                        "finding.capacity.loading",
                        Text.size(e.tried().orElseThrow()),
                        Text.size(gap),
                        Text.size(e.total().orElseThrow())),
                List.of(new Finding.Figure("gap", gap)),
                Confidence.MEDIUM);
    }

    /** Where free was not printed, what is in use and what was asked for may still be more than the whole device. */
    private Finding byAllocated(Evidence e, long missing) {
        long allocated = e.report().allocatedBytes().orElseThrow();
        long tried = e.tried().orElseThrow();
        long total = e.total().orElseThrow();
        return new Finding(
                cause().id(),
                Text.of("finding.capacity.allocated", Text.size(allocated), Text.size(tried), Text.size(total)),
                List.of(
                        new Finding.Figure("allocated", allocated),
                        new Finding.Figure("tried", tried),
                        new Finding.Figure("total", total),
                        new Finding.Figure("missing", missing)),
                e.margin(total - allocated));
    }

    /** Where the figures of a pool are missing: a program's whole need, all that is free, or live memory that fills the device. */
    private Optional<Finding> withoutPool(Evidence e) {
        long tried = e.tried().orElseThrow();
        OptionalLong total = e.total();
        if (e.claims(Claim.HELD_BY_OTHERS)) {
            return Optional.empty();
        }
        if (e.claims(Claim.WHOLE_PROGRAM)) {
            return total.isPresent() && tried > total.getAsLong()
                    ? Optional.of(stated("program", tried, total.getAsLong(), tried - total.getAsLong()))
                    : Optional.empty();
        }
        if (e.claims(Claim.NO_CACHE) && e.free().isPresent() && tried > e.free().getAsLong()) {
            long free = e.free().getAsLong();
            return Optional.of(stated("free", tried, free, tried - free));
        }
        long used = e.report().allocatedBytes().orElse(0);
        boolean full = total.isPresent() && used > 0 && tried <= total.getAsLong() && used + tried > total.getAsLong();
        return full && keepsLiveCount(e)
                ? Optional.of(stated("live", tried, used, total.getAsLong()))
                : Optional.empty();
    }

    /** Whose "allocated" is what tensors hold, not what the pool took of the device. */
    private static boolean keepsLiveCount(Evidence e) {
        return switch (e.report().framework()) {
            case MINDSPORE_ASCEND, MINDSPORE_GPU, TENSORFLOW, JAX_XLA -> true;
            default -> false;
        };
    }

    private Finding stated(String key, long tried, long bound, long third) {
        return new Finding(
                cause().id(),
                Text.of("finding.capacity." + key, Text.size(tried), Text.size(bound), Text.size(third)),
                List.of(new Finding.Figure("tried", tried)),
                Confidence.HIGH);
    }

    /** It is what remains when nothing else holds, so beside another cause it says nothing. */
    @Override
    public boolean addsTo(Cause verdict, Evidence e) {
        return false;
    }
}
