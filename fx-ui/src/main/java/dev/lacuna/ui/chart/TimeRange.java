package dev.lacuna.ui.chart;

/**
 * A stretch of time on the machine's monotonic clock.
 *
 * @param startNs first nanosecond
 * @param endNs nanosecond after the last, &gt; start
 */
public record TimeRange(long startNs, long endNs) {
    public TimeRange {
        if (endNs <= startNs) {
            throw new IllegalArgumentException("an empty stretch of time: " + startNs + " to " + endNs);
        }
    }

    /** Its length in nanoseconds, &gt; 0. */
    public long spanNs() {
        return endNs - startNs;
    }

    /** Where a moment lies in it: 0 at the start, 1 at the end, beyond outside. */
    public double share(long timeNs) {
        return (double) (timeNs - startNs) / spanNs();
    }

    /** The moment at this share of the stretch. */
    public long at(double share) {
        return startNs + Math.round(share * spanNs());
    }

    /** Whether a moment lies in it. */
    public boolean contains(long timeNs) {
        return timeNs >= startNs && timeNs < endNs;
    }
}
