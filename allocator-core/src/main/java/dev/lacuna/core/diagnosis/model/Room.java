package dev.lacuna.core.diagnosis.model;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import java.util.OptionalLong;

/** What there was room for: what was free, what lies in pieces, and what is missing. */
public record Room(Evidence e) {
    private static final long SMALL_SEGMENT = 2L << 20;
    private static final int FEW_PERCENT = 10;
    private static final long GIB = 1L << 30;
    private static final long CLEAR_BYTES = 64L << 20;

    /** Three figures of two decimals of a GiB each. */
    static final long ROUNDING_BYTES = 3 * ((1L << 30) / 200);

    /**
     * The gap without what private pools keep for themselves, from the message; and without what the large blocks' pool
     * keeps, where a small request failed, unless that is much.
     */
    public OptionalLong usableGap() {
        return isOfSmallPool() ? OptionalLong.of(0) : e.report().usableGapBytes();
    }

    /**
     * Whether PyTorch's pool of small blocks wanted one more segment: it prints that segment's 2 MiB for every request of
     * at most 1 MiB. What a gap below the threshold holds is nearly all of the large blocks' pool and serves none of them.
     */
    public boolean isOfSmallPool() {
        boolean small =
                e.tried().isPresent() && e.tried().getAsLong() > 0 && e.tried().getAsLong() <= SMALL_SEGMENT;
        return small
                && e.report().framework().family() == Framework.Family.TORCH
                && !e.claims(Claim.OUTSIDE_ALLOCATION)
                && e.report().gapBytes().isPresent()
                && e.report().gapBytes().getAsLong() <= e.thresholds().gapBytes();
    }

    /** Free + usable gap: the largest request that perfect defragmentation could have served. */
    public OptionalLong defragmented() {
        return e.free().isPresent() && usableGap().isPresent()
                ? OptionalLong.of(e.free().getAsLong() + usableGap().getAsLong())
                : OptionalLong.empty();
    }

    /**
     * Whether the request would have fitted, at the latest without what others hold: by more than the printed figures are
     * rounded, unless what was free alone was enough.
     */
    public boolean wouldFitWithoutOthers() {
        return freeWasEnough() || e.tried().orElse(0) <= withoutOthers().orElse(Long.MAX_VALUE) - ROUNDING_BYTES;
    }

    /**
     * By how much allocated and tried exceed the whole device, where PyTorch does not print what was free, as on older
     * XPU, or nothing of a pool, as above CUDA's own: what others hold does not matter then.
     */
    public OptionalLong beyondWhole() {
        boolean given = e.report().framework().family() == Framework.Family.TORCH
                && (e.free().isEmpty() || e.report().framework() == Framework.PYTORCH_CUDA_MALLOC_ASYNC)
                && e.tried().isPresent()
                && e.total().isPresent()
                && e.report().allocatedBytes().isPresent();
        if (!given) {
            return OptionalLong.empty();
        }
        long beyond =
                saturatedSum(e.report().allocatedBytes().getAsLong(), e.tried().getAsLong())
                        - e.total().getAsLong();
        return beyond > 0
                        && e.report().allocatedBytes().getAsLong() <= e.total().getAsLong()
                ? OptionalLong.of(beyond)
                : OptionalLong.empty();
    }

    /** Whether the gap is of a size that lies in pieces in most pools, against the card and the field's threshold. */
    public boolean isGapSmall() {
        return e.gap().isPresent()
                && e.gap().getAsLong() <= e.thresholds().gapBytes()
                && e.gap().getAsLong() <= e.total().orElse(Long.MAX_VALUE) / 100 * FEW_PERCENT;
    }

    /** Whether the printed free alone would have been enough, and was more than the last of a full device. */
    public boolean freeWasEnough() {
        return e.tried().isPresent()
                && e.free().isPresent()
                && e.tried().getAsLong() <= e.free().getAsLong()
                && !isFreeRoundedUp()
                && !e.fullness().isLastOfDevice()
                && !e.fullness().isLastBesideOthers();
    }

    /** Whether tried and free are one figure where two decimals of a GiB are printed: what was free was less, and is rounded. */
    public boolean isFreeRoundedUp() {
        return e.tried().isPresent()
                && e.tried().getAsLong() >= GIB
                && e.free().orElse(0) == e.tried().getAsLong()
                && e.tried().getAsLong() % GIB != 0
                && e.report().reservedBytes().isPresent();
    }

    /** What is missing at the least, as far as the figures tell. */
    public OptionalLong missing() {
        if (e.tried().isEmpty()) {
            return shapeBeyondPool();
        }
        long tried = e.tried().getAsLong();
        if (e.fullness().isSpilled()) {
            return above(tried + e.report().allocatedBytes().getAsLong(), e.total());
        }
        if (e.claims(Claim.WHOLE_PROGRAM)) {
            return above(tried, e.total());
        }
        if (defragmented().isPresent() || e.claims(Claim.NO_CACHE)) {
            return above(tried, defragmented().isPresent() ? defragmented() : e.free());
        }
        return above(tried + e.report().allocatedBytes().orElse(0), e.total());
    }

    /** By how much a tensor, told by shape and type, is larger than what TensorFlow's pool had left below its limit. */
    public OptionalLong shapeBeyondPool() {
        boolean known = e.report().framework() == Framework.TENSORFLOW
                && e.tried().isEmpty()
                && e.total().isPresent()
                && e.report().allocatedBytes().isPresent()
                && !e.report().isOfHost();
        if (!known) {
            return OptionalLong.empty();
        }
        long left = e.total().getAsLong() - e.report().allocatedBytes().getAsLong();
        long beyond = PrintedShape.of(e.report()).orElse(0) - left;
        return left >= 0 && beyond > 0 ? OptionalLong.of(beyond) : OptionalLong.empty();
    }

    private static OptionalLong above(long need, OptionalLong bound) {
        return bound.isPresent() ? OptionalLong.of(need - bound.getAsLong()) : OptionalLong.empty();
    }

    /** Free + gap + what others hold too much. */
    public OptionalLong withoutOthers() {
        return defragmented().isPresent() && e.others().beyondShare().isPresent()
                ? OptionalLong.of(saturatedSum(
                        defragmented().getAsLong(), e.others().beyondShare().getAsLong()))
                : OptionalLong.empty();
    }

    /** HIGH when a request misses or meets a bound by more than the printing's precision: 64 MiB, and 2 % of it. */
    public Confidence margin(long bound) {
        long tried = e.tried().orElse(0);
        long distance = Math.abs(tried - bound);
        return distance >= CLEAR_BYTES && distance >= tried / 50 ? Confidence.HIGH : Confidence.MEDIUM;
    }

    /**
     * Whether a request meets or misses a bound by no more than the figures in it are rounded: PyTorch prints two decimals, of
     * MiB below a GiB. Newer messages print the gap itself, older ones what it is worked out from.
     */
    public boolean isWithinRounding(long bound) {
        long gap = e.report().form().printsGap()
                ? rounding(e.gap().orElse(0))
                : rounding(e.report().reservedBytes().orElse(0))
                        + rounding(e.report().allocatedBytes().orElse(0));
        long tried = e.tried().orElse(0);
        if (withoutOthers().orElse(-1) == bound && defragmented().orElse(-1) != bound) {
            return Math.abs(tried - bound) <= ROUNDING_BYTES; // What others hold is worked out from the device's size.
        }
        return Math.abs(tried - bound) <= rounding(tried) + rounding(e.free().orElse(0)) + gap;
    }

    private static long rounding(long bytes) {
        return (bytes >= GIB ? GIB : GIB >> 10) / 200;
    }

    private static long saturatedSum(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }
}
