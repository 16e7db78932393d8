package dev.lacuna.ui.chart;

/**
 * Which stretch of the kept time is shown: following the newest sample, or held still. Knows no pixels and no nodes.
 */
public final class TimelineViewport {
    /** Shortest stretch shown: a few samples. */
    public static final long MIN_SPAN_NS = 200_000_000L;

    /** Longest stretch shown: a day, what the history keeps. */
    public static final long MAX_SPAN_NS = 86_400_000_000_000L;

    /** A wheel turn this close to the right edge, as a share of the width, keeps following. */
    private static final double FOLLOW_EDGE = 0.85;

    private final long homeSpanNs;
    private long spanNs;
    private long endNs;
    private boolean following = true;

    /** @param homeSpanNs the stretch that reset returns to */
    public TimelineViewport(long homeSpanNs) {
        this.homeSpanNs = clampSpan(homeSpanNs);
        this.spanNs = this.homeSpanNs;
    }

    /** The length of time shown, in nanoseconds. */
    public long spanNs() {
        return spanNs;
    }

    /** Whether the newest sample stays at the right edge. */
    public boolean following() {
        return following;
    }

    /** Shows another length of time, ending where it ends now. */
    public void showSpan(long newSpanNs) {
        spanNs = clampSpan(newSpanNs);
    }

    /** Back to the home stretch at the newest sample. */
    public void reset() {
        spanNs = homeSpanNs;
        following = true;
    }

    /** Holds the picture still where it is. */
    public void hold(TimeRange extent) {
        if (following) {
            following = false;
            endNs = extent.endNs();
        }
    }

    /** Keeps the newest sample at the right edge from now on. */
    public void follow() {
        following = true;
    }

    /** Moves a held picture so that an instant is seen, in the middle where it was not. */
    public void reveal(long timeNs, TimeRange extent) {
        if (!following && (timeNs > endNs || timeNs < endNs - spanNs)) {
            hold(timeNs + spanNs / 2, extent);
        }
    }

    /** Shrinks ({@code factor < 1}) or widens the stretch; the right edge stays. */
    public void zoom(double factor) {
        spanNs = clampSpan(Math.round(spanNs * factor));
    }

    /** Shrinks or widens the stretch around the moment at this share of the width, which stays where it is. */
    public void zoomAround(double factor, double share, TimeRange extent) {
        if (following && share >= FOLLOW_EDGE) {
            zoom(factor);
            return;
        }
        long anchor = currentEnd(extent) - Math.round((1 - share) * spanNs);
        zoom(factor);
        hold(anchor + Math.round((1 - share) * spanNs), extent);
    }

    /** Shows exactly this stretch, held still. */
    public void zoomTo(TimeRange range, TimeRange extent) {
        spanNs = clampSpan(range.spanNs());
        long middle = range.startNs() + range.spanNs() / 2;
        hold(middle + spanNs / 2, extent);
    }

    /** Moves by a share of the width, positive to later times, at most to the newest sample. */
    public void pan(double share, TimeRange extent) {
        if (!following || share < 0) {
            hold(currentEnd(extent) + Math.round(share * spanNs), extent);
        }
    }

    /**
     * The stretch to draw in so many columns. Columns lie on multiples of their width, so that a moving picture shifts
     * by whole columns and the same samples always share a column: nothing shimmers.
     */
    public TimeRange visible(TimeRange extent, int columns) {
        long column = Math.max(1, -Math.floorDiv(-spanNs, (long) columns));
        long end = -Math.floorDiv(-currentEnd(extent), column) * column;
        return new TimeRange(end - column * columns, end);
    }

    private long currentEnd(TimeRange extent) {
        return following ? extent.endNs() : endNs;
    }

    private void hold(long end, TimeRange extent) {
        following = false;
        long earliest = Math.min(extent.endNs(), extent.startNs() + spanNs / 2);
        endNs = Math.max(earliest, Math.min(end, extent.endNs()));
    }

    private static long clampSpan(long span) {
        return Math.max(MIN_SPAN_NS, Math.min(MAX_SPAN_NS, span));
    }
}
