package dev.lacuna.core.diagnosis.model;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Quantity;

/** Whether a device is full, so that closing a gap would help hardly or not at all. */
public record Fullness(Evidence e) {
    private static final long KEPT_BYTES = 64L << 20;
    private static final int NEARLY_ALL = 97;
    private static final int NEARLY_FULL = 94;
    private static final int MOST_TAKEN = 80;

    /** Whether weights filled the device: what the pool keeps between them would hold hardly more of them. */
    public boolean fillsByLoading() {
        return e.origin().loadsWeights()
                && e.room().usableGap().orElse(Long.MAX_VALUE) <= e.thresholds().gapBytes()
                && e.others().beyondShare().orElse(0) == 0
                && e.total().isPresent()
                && !hadRoom();
    }

    /** Whether so much was free that a driver keeps less for itself: what is printed to the MiB is no room for a request near it. */
    private boolean hadRoom() {
        return e.room().freeWasEnough() && e.free().getAsLong() - e.tried().getAsLong() > KEPT_BYTES;
    }

    /** Whether tensors alone are larger than the card: Windows' driver has moved part of them to the host. */
    public boolean isSpilled() {
        return e.report().allocatedBytes().orElse(0) > e.total().orElse(Long.MAX_VALUE);
    }

    /**
     * Whether what was printed as free is what a driver gives to nobody: a hundredth of the device or less, and little more
     * than was asked for, while a pool has nearly all the rest.
     */
    public boolean isLastOfDevice() {
        boolean known =
                e.tried().isPresent() && e.free().isPresent() && e.total().isPresent() && isPoolNearlyAll();
        if (!known || e.report().allowedBytes().isPresent()) {
            return false;
        }
        long free = e.free().getAsLong();
        return free >= e.tried().getAsLong()
                && free <= Math.max(KEPT_BYTES, e.total().getAsLong() / 100)
                && free - e.tried().getAsLong() <= KEPT_BYTES;
    }

    /** Whether the same last of a device was left by others, so that it was full before this process asked. */
    public boolean isLastBesideOthers() {
        boolean known =
                e.tried().isPresent() && e.free().isPresent() && e.total().isPresent();
        if (!known || e.report().allowedBytes().isPresent()) {
            return false;
        }
        long free = e.free().getAsLong();
        return e.others().beyondShare().orElse(0) > 0
                && free <= Math.min(KEPT_BYTES, e.total().getAsLong() / 100)
                && free - e.tried().getAsLong() <= KEPT_BYTES;
    }

    /** Whether the pool has all but what contexts and collectives take, a tenth of the device at most. */
    private boolean isPoolNearlyAll() {
        return e.outside().isPresent()
                && (e.others().beyondShare().orElse(0) == 0 || e.others().areSlight());
    }

    /** Whether a full device refused, by figures that a pool with pieces cannot explain: nothing of it was left. */
    public boolean isFull() {
        boolean refused = isLastOfDevice()
                || e.room().isOfSmallPool() && e.free().orElse(0) < e.tried().orElse(0);
        return refused && isPoolNearlyAll() && !isSpilled();
    }

    /** Whether the process itself holds the device, whatever else is not printed. */
    public boolean fillsDeviceItself() {
        long own = Math.max(
                e.report().amount(Quantity.PROCESS).orElse(0),
                e.report().allocatedBytes().orElse(0));
        return e.total().isPresent()
                && own <= e.total().getAsLong()
                && own >= e.total().getAsLong() / 100 * NEARLY_ALL;
    }

    /** Whether figures contradict each other by more than they are rounded: free above total, or outside below nothing. */
    public boolean isImpossible() {
        boolean freeAboveTotal = e.free().isPresent()
                && e.total().isPresent()
                && e.free().getAsLong() > e.total().getAsLong();
        boolean spilled = e.report().reservedBytes().orElse(0) > e.total().orElse(Long.MAX_VALUE);
        return freeAboveTotal || !spilled && e.outside().orElse(0) < -Room.ROUNDING_BYTES;
    }

    /** Whether tensors hold nearly all of the device and the gap is small: closing it would help once at most. */
    public boolean isNearlyFull() {
        long allocated = e.report().allocatedBytes().orElse(0);
        return e.total().isPresent()
                && allocated >= e.total().getAsLong() / 100 * NEARLY_FULL
                && e.gap().orElse(0)
                        <= Math.max(e.thresholds().gapBytes(), e.total().getAsLong() / 20);
    }

    /** Whether tensors and what lies outside the pool hold nearly all of the device. */
    public boolean isTaken() {
        boolean known = e.total().isPresent()
                && e.report().allocatedBytes().isPresent()
                && e.room().defragmented().isPresent();
        return known && e.room().defragmented().getAsLong() <= e.total().getAsLong() / 100 * (100 - MOST_TAKEN);
    }

    /** The same without others that hold more than lies outside anyway. */
    public boolean isTakenByTensors() {
        return isTaken()
                && (e.others().beyondShare().orElse(0) == 0 || e.others().areSlight());
    }

    /** Whether a request missed the pieces of a gap so small that a little more work would have failed without it. */
    public boolean isHardlyFragmented() {
        return !e.claims(Claim.FRAGMENTED) && (isNearlyFull() || e.room().isGapSmall());
    }
}
