package dev.lacuna.core.allocator.caching;

import dev.lacuna.core.allocator.block.RequestSize;
import java.util.Arrays;

/**
 * PyTorch's option {@code roundup_power2_divisions}: into how many equal steps each power of two is divided when a request is
 * rounded. There are 16 intervals, one to each power of two from 1 MiB to 64 GiB; the first also rules everything smaller,
 * the last everything larger. 0 and 1 divide nothing. Immutable.
 */
public final class RoundupDivisions {
    /** Number of intervals: PyTorch's kRoundUpPowerOfTwoIntervals. */
    public static final int INTERVALS = 16;

    /** Requests are rounded to whole units of 512 bytes and no further. */
    public static final RoundupDivisions NONE = everywhere(0);

    private static final int FIRST_EXPONENT = 20;

    private final long[] divisions;

    private RoundupDivisions(long[] divisions) {
        this.divisions = divisions;
    }

    /** The same number of divisions, 0 or a power of two, for all sizes. */
    public static RoundupDivisions everywhere(long divisions) {
        long[] all = new long[INTERVALS];
        Arrays.fill(all, divisions);
        return of(all);
    }

    /**
     * Divisions by interval: entry i rules sizes from 2^i MiB to below 2^(i+1) MiB.
     *
     * @throws IllegalArgumentException unless there are 16 entries, each 0 or a power of two
     */
    public static RoundupDivisions of(long... byInterval) {
        if (byInterval.length != INTERVALS) {
            throw new IllegalArgumentException("divisions are needed for 16 intervals, not for " + byInterval.length);
        }
        for (long d : byInterval) {
            if (d < 0 || Long.bitCount(d) > 1) {
                throw new IllegalArgumentException("divisions must be 0 or a power of two: " + d);
            }
        }
        return new RoundupDivisions(byInterval.clone());
    }

    /** Divisions of the interval that this size (≥ 1 byte) falls into. */
    public long of(long bytes) {
        int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(bytes);
        return divisions[Math.min(Math.max(exponent - FIRST_EXPONENT, 0), INTERVALS - 1)];
    }

    /** The block size for a request of this many bytes, 1 … 2^61. */
    long rounded(long bytes) {
        long d = of(bytes);
        // Below that many units the steps would be finer than a unit.
        if (d <= 1 || bytes <= RequestSize.UNIT_BYTES * d) {
            return RequestSize.rounded(bytes);
        }
        long step = Long.highestOneBit(bytes) >> Long.numberOfTrailingZeros(d);
        return (bytes + step - 1) & -step;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RoundupDivisions that && Arrays.equals(divisions, that.divisions);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(divisions);
    }

    @Override
    public String toString() {
        return Arrays.toString(divisions);
    }
}
