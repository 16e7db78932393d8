package dev.lacuna.core.diagnosis.report;

import dev.lacuna.core.history.timeline.MemorySeries;
import dev.lacuna.core.history.timeline.Timeline;
import dev.lacuna.core.history.timeline.TimelineReader;
import java.util.Arrays;

/** The curve of a stretch of events in columns, to whatever it is drawn. Each column has its highest value: no peak is lost. */
public final class Curve {
    private final Timeline timeline;
    private final TimelineReader reader;
    private final int from;
    private final int to;
    private final int columns;
    private final long top;

    private Curve(Timeline timeline, int from, int to, int most) {
        this.timeline = timeline;
        this.reader = timeline.reader();
        this.from = from;
        this.to = to;
        this.columns = Math.min(most, to - from + 1);
        this.top = Math.max(1, reader.highest(MemorySeries.RESERVED, from, to + 1));
    }

    /**
     * The events from the first to before the last.
     *
     * @param most at most so many columns
     */
    public static Curve of(Timeline timeline, int from, int to, int most) {
        return new Curve(timeline, from, to, most);
    }

    /** Bytes at the upper edge, &gt; 0. */
    public long top() {
        return top;
    }

    /** How high each column of a series is, as a share of {@link #top}. */
    public double[] heights(MemorySeries series) {
        int moments = to - from + 1;
        double[] heights = new double[columns];
        for (int c = 0; c < columns; c++) {
            int first = from + (int) ((long) c * moments / columns);
            int end = from + (int) ((long) (c + 1) * moments / columns);
            heights[c] = (double) reader.highest(series, first, end) / top;
        }
        return heights;
    }

    /** Where requests ran out of memory, as shares of the width. */
    public double[] ooms() {
        return Arrays.stream(timeline.ooms())
                .filter(oom -> oom >= from && oom < to)
                .mapToDouble(oom -> (double) (oom - from) / Math.max(1, to - from))
                .toArray();
    }
}
