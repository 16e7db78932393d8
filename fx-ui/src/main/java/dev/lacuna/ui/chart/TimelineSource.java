package dev.lacuna.ui.chart;

import java.util.Optional;
import java.util.OptionalLong;

/** Where a timeline takes its pictures from. Called on the thread that draws; must answer at once. */
public interface TimelineSource {
    /** The frame of a stretch of time in so many columns. */
    TimelineFrame frame(TimeRange range, int columns);

    /** The time that is kept, or empty before the first sample. */
    Optional<TimeRange> extent();

    /** The exact values of the sample at or after a moment, else of the newest one. */
    Optional<Reading> readingAt(long timeNs);

    /** Wall-clock milliseconds since the epoch of a moment; empty before the first sample. */
    OptionalLong wallClockMs(long timeNs);
}
