package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import java.util.List;
import java.util.OptionalLong;

/** All numbers are there and nothing else holds: this work needs more memory than there is. */
public final class CapacityRule implements Rule<Evidence> {
    @Override
    public List<Finding> judge(Evidence e) {
        if (e.claims(Claim.EXHAUSTED)) {
            boolean evicted = e.report().library().filter("kubernetes"::equals).isPresent();
            return List.of(
                    Finding.of(Cause.CAPACITY, Text.of(evicted ? "finding.capacity.node" : "finding.capacity.host")));
        }
        if (e.report().isOfHost()
                && e.claims(Claim.NO_CACHE)
                && e.room().missing().orElse(0) > 0) {
            return List.of(stated(
                    "free.host",
                    e.tried().orElseThrow(),
                    e.free().orElseThrow(),
                    e.room().missing().orElseThrow()));
        }
        if (e.room().shapeBeyondPool().isPresent()) {
            return List.of(byShape(e));
        }
        if (e.request().isOnLargerCard()) {
            return List.of();
        }
        if (e.fullness().isFull()) {
            return List.of(full(e));
        }
        if (e.tried().isPresent() && (e.fullness().isSpilled() || e.fullness().fillsByLoading())) {
            return List.of(e.fullness().isSpilled() ? spilled(e) : byLoading(e));
        }
        if (e.room().beyondWhole().isPresent()) {
            return List.of(byAllocated(e, e.room().beyondWhole().getAsLong()));
        }
        if (e.report().isOfHost() || e.tried().isEmpty()) {
            return List.of();
        }
        if (e.room().withoutOthers().isEmpty()) {
            return withoutPool(e);
        }
        long tried = e.tried().getAsLong();
        long bound = e.room().withoutOthers().getAsLong();
        if (e.room().wouldFitWithoutOthers()) {
            return List.of();
        }
        boolean others =
                e.outside().orElse(0) >= tried - e.room().defragmented().orElseThrow();
        return List.of(Finding.of(
                        Cause.CAPACITY,
                        Text.of(
                                others ? "finding.capacity.short" : "finding.capacity",
                                Text.size(tried),
                                Text.size(e.room().defragmented().orElseThrow()),
                                Text.size(tried - e.room().defragmented().orElseThrow())))
                .with("tried", tried)
                .with("free", e.free().orElseThrow())
                .with("gap", e.room().usableGap().orElseThrow())
                .with("missing", tried - e.room().defragmented().orElseThrow())
                .sure(e.room().margin(bound)));
    }

    /** The tensor's size is worked out from its shape; what TensorFlow's pool has left is its limit less what is in use. */
    private Finding byShape(Evidence e) {
        long tensor = e.request().largestAsked();
        long total = e.total().orElseThrow();
        long allocated = e.report().allocatedBytes().orElseThrow();
        return Finding.of(
                        Cause.CAPACITY,
                        Text.of(
                                "finding.capacity.shape",
                                Text.size(tensor),
                                Text.size(total - allocated),
                                Text.size(total)))
                .with("tensor", tensor)
                .with("missing", e.room().shapeBeyondPool().orElseThrow())
                .sure(Confidence.MEDIUM);
    }

    /** Nothing is missing that could be counted: the pool has the device, and the last of it is given to nobody. */
    private Finding full(Evidence e) {
        return Finding.of(
                        Cause.CAPACITY,
                        Text.of(
                                e.room().isOfSmallPool() ? "finding.capacity.full.small" : "finding.capacity.full",
                                Text.size(e.tried().orElseThrow()),
                                Text.size(e.free().orElseThrow()),
                                Text.size(e.report().reservedBytes().orElseThrow()),
                                Text.size(e.total().orElseThrow())))
                .with("free", e.free().orElseThrow())
                .sure(e.others().areSlight() ? Confidence.MEDIUM : Confidence.HIGH);
    }

    /** On Windows a driver lets tensors grow beyond the card, until the host has no more for them either. */
    private Finding spilled(Evidence e) {
        long allocated = e.report().allocatedBytes().orElseThrow();
        long total = e.total().orElseThrow();
        return Finding.of(Cause.CAPACITY, Text.of("finding.capacity.spilled", Text.size(allocated), Text.size(total)))
                .with("allocated", allocated)
                .with("total", total)
                .with("missing", e.room().missing().orElseThrow());
    }

    /** Loading adds one tensor to the next and frees none: closing the gap would carry it to a later one. */
    private Finding byLoading(Evidence e) {
        long gap = e.room().usableGap().orElseThrow();
        String of = e.origin().loadsStates() ? ".states" : "";
        if (e.room().missing().orElse(0) > 0) {
            return Finding.of(
                            Cause.CAPACITY,
                            Text.of(
                                    "finding.capacity.loading.short" + of,
                                    Text.size(e.tried().orElseThrow()),
                                    Text.size(e.room().defragmented().orElse(gap))))
                    .with("gap", gap);
        }
        return Finding.of(
                        Cause.CAPACITY,
                        Text.of(
                                "finding.capacity.loading" + of,
                                Text.size(e.tried().orElseThrow()),
                                Text.size(gap),
                                Text.size(e.total().orElseThrow())))
                .with("gap", gap)
                .sure(Confidence.MEDIUM);
    }

    /** Where free was not printed, what is in use and what was asked for may still be more than the whole device. */
    private Finding byAllocated(Evidence e, long missing) {
        long allocated = e.report().allocatedBytes().orElseThrow();
        long tried = e.tried().orElseThrow();
        long total = e.total().orElseThrow();
        return Finding.of(
                        Cause.CAPACITY,
                        Text.of("finding.capacity.allocated", Text.size(allocated), Text.size(tried), Text.size(total)))
                .with("allocated", allocated)
                .with("tried", tried)
                .with("total", total)
                .with("missing", missing)
                .sure(e.room().margin(total - allocated));
    }

    /** Where the figures of a pool are missing: a program's whole need, all that is free, or live memory that fills the device. */
    private List<Finding> withoutPool(Evidence e) {
        long tried = e.tried().orElseThrow();
        OptionalLong total = e.total();
        if (e.claims(Claim.HELD_BY_OTHERS)) {
            return List.of();
        }
        if (e.claims(Claim.WHOLE_PROGRAM)) {
            return total.isPresent() && tried > total.getAsLong()
                    ? List.of(stated("program", tried, total.getAsLong(), tried - total.getAsLong()))
                    : List.of();
        }
        if (e.claims(Claim.NO_CACHE) && e.free().isPresent() && tried > e.free().getAsLong()) {
            long free = e.free().getAsLong();
            return List.of(stated("free", tried, free, tried - free));
        }
        if (e.fullness().fillsDeviceItself() && keepsOwnCount(e)) {
            long own = Math.max(
                    e.report().amount(Quantity.PROCESS).orElse(0),
                    e.report().allocatedBytes().orElse(0));
            return List.of(Finding.of(
                            Cause.CAPACITY,
                            Text.of(
                                    "finding.capacity.own",
                                    Text.size(tried),
                                    Text.size(own),
                                    Text.size(total.orElseThrow())))
                    .with("tried", tried)
                    .sure(Confidence.MEDIUM));
        }
        long used = e.report().allocatedBytes().orElse(0);
        boolean full = total.isPresent() && used > 0 && tried <= total.getAsLong() && used + tried > total.getAsLong();
        return full && keepsLiveCount(e) ? List.of(stated("live", tried, used, total.getAsLong())) : List.of();
    }

    /** Whose count is the whole of what the process has: live memory of a pool without figures of its own, or all of PyTorch's. */
    private static boolean keepsOwnCount(Evidence e) {
        return keepsLiveCount(e) || e.report().amount(Quantity.PROCESS).isPresent();
    }

    /** Whose "allocated" is what tensors hold, not what the pool took of the device. */
    private static boolean keepsLiveCount(Evidence e) {
        return switch (e.report().framework()) {
            case MINDSPORE_ASCEND, MINDSPORE_GPU, TENSORFLOW, JAX_XLA -> true;
            default -> false;
        };
    }

    private Finding stated(String key, long tried, long bound, long third) {
        return Finding.of(
                        Cause.CAPACITY,
                        Text.of("finding.capacity." + key, Text.size(tried), Text.size(bound), Text.size(third)))
                .with("tried", tried);
    }
}
