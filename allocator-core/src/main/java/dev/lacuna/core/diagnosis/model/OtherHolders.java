package dev.lacuna.core.diagnosis.model;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.ProcessUse;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import java.util.List;
import java.util.OptionalLong;

/** What others than the pool hold of the device, and how much that says. */
public record OtherHolders(Evidence e) {
    private static final int MANY = 8;
    private static final int MOST_LIVE = 80;

    /** Whether others hold more than half of the device, and more than the gap: then that is weighed first. */
    public boolean weighMost() {
        long outside = e.outside().orElse(0);
        return e.total().isPresent()
                && outside > e.total().getAsLong() / 2
                && outside > e.gap().orElse(0);
    }

    /**
     * Whether processes that the message names hold a good part of the device, and many times what lies in pieces: ending
     * them helps, closing the gap hardly does.
     */
    public boolean outweighGap() {
        long theirs = e.report().otherProcesses().stream()
                .mapToLong(other -> other.bytes().orElse(0))
                .sum();
        return e.room().isGapSmall()
                && e.total().isPresent()
                && !isListedUnderAnotherNumber()
                && theirs > e.total().getAsLong() / 10
                && theirs > MANY * e.gap().getAsLong();
    }

    /**
     * What the processes hold that the message lists with their memory, bytes, without this one where it is among them under its
     * number on the host; empty where it lists none, or one without.
     */
    public OptionalLong listedBytes() {
        List<ProcessUse> listed = e.report().otherProcesses();
        if (listed.isEmpty()
                || isListedUnderAnotherNumber()
                || listed.stream().anyMatch(other -> other.bytes().orElse(0) <= 0)) {
            return OptionalLong.empty();
        }
        long sum = listed.stream().mapToLong(other -> other.bytes().getAsLong()).sum();
        boolean apart = e.report().amount(Quantity.PROCESS).isPresent()
                || e.outside().isEmpty()
                || sum <= e.outside().getAsLong() + Room.ROUNDING_BYTES;
        if (apart) {
            return OptionalLong.of(sum);
        }
        OptionalLong self = listed.stream()
                .mapToLong(other -> other.bytes().getAsLong())
                .filter(bytes -> bytes >= e.report().reservedBytes().orElse(Long.MAX_VALUE))
                .min();
        boolean more = self.isPresent() && sum > self.getAsLong();
        return more ? OptionalLong.of(sum - self.getAsLong()) : OptionalLong.empty();
    }

    /**
     * What of the device was in use when a process found less free than it wanted, before it had taken anything itself;
     * empty for every other message.
     */
    public OptionalLong takenAtStart() {
        boolean start = e.claims(Claim.HELD_BY_OTHERS)
                && e.total().isPresent()
                && e.free().isPresent();
        return start ? OptionalLong.of(e.total().getAsLong() - e.free().getAsLong()) : OptionalLong.empty();
    }

    /** Whether what lies outside the pool beyond 1 GiB is so little that collectives and contexts may well be all of it. */
    public boolean areSlight() {
        long beyond = beyondShare().orElse(0);
        return beyond > 0
                && e.total().isPresent()
                && e.report().allocatedBytes().isPresent()
                && e.report().otherProcesses().isEmpty()
                && beyond <= Math.min(e.total().getAsLong() / 20, e.thresholds().othersBytes())
                && e.report().allocatedBytes().getAsLong() >= e.total().getAsLong() / 100 * MOST_LIVE;
    }

    /** What lies outside the pool beyond the share that lies there anyway; never negative. */
    public OptionalLong beyondShare() {
        if (e.outside().isEmpty()) {
            return OptionalLong.empty();
        }
        long least = hasDeviceToItself()
                ? 0
                : e.outside().getAsLong() - e.thresholds().othersBytes();
        return OptionalLong.of(Math.max(0, least));
    }

    /** Whether what this process takes, which newer messages print, and what is free leave no more than lies outside anyway. */
    public boolean hasDeviceToItself() {
        OptionalLong own = e.report().amount(Quantity.PROCESS);
        return isListedUnderAnotherNumber()
                || own.isPresent()
                        && e.free().isPresent()
                        && e.total().isPresent()
                        && Math.abs(e.total().getAsLong() - e.free().getAsLong() - own.getAsLong())
                                <= e.thresholds().othersBytes();
    }

    /** Whether the process counts itself, and there is nobody else: what lies beside its pool beyond the usual is its own. */
    public boolean holdsMuchBesideItself() {
        return e.report().amount(Quantity.PROCESS).isPresent()
                && hasDeviceToItself()
                && e.outside().orElse(0) > MUCH * e.thresholds().othersBytes();
    }

    private static final int MUCH = 2;

    /** Whether the one process that is listed holds so much that it must be this one, under its number on the host. */
    public boolean isListedUnderAnotherNumber() {
        return e.report().amount(Quantity.PROCESS).isEmpty()
                && e.report().otherProcesses().size() == 1
                && e.total().isPresent()
                && e.report().reservedBytes().orElse(0) <= e.total().getAsLong()
                && e.report().otherProcesses().get(0).bytes().orElse(0)
                                + e.report().reservedBytes().orElse(0)
                        > e.total().getAsLong() + Room.ROUNDING_BYTES;
    }
}
