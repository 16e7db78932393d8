package dev.lacuna.ui.chart;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * All that one picture of the timeline shows. Immutable; two equal frames make equal pictures.
 */
public final class TimelineFrame {
    private final TimeRange range;
    private final Columns reserved;
    private final Columns allocated;
    private final Columns requested;
    private final Columns limit;
    private final long[] steps;
    private final List<Marker> markers;

    /**
     * @param range the time shown
     * @param reserved bytes taken from the device, by column
     * @param allocated bytes in blocks, by column
     * @param requested bytes asked for, by column
     * @param limit cap on reserved, by column
     * @param steps times at which steps ended within the range; the frame takes ownership
     * @param markers marked moments within the range, oldest first
     */
    public TimelineFrame(
            TimeRange range,
            Columns reserved,
            Columns allocated,
            Columns requested,
            Columns limit,
            long[] steps,
            List<Marker> markers) {
        this.range = range;
        this.reserved = reserved;
        this.allocated = allocated;
        this.requested = requested;
        this.limit = limit;
        this.steps = steps;
        this.markers = List.copyOf(markers);
    }

    /** A frame without data. */
    public static TimelineFrame empty(TimeRange range, int columns) {
        long[] min = new long[columns];
        long[] max = new long[columns];
        Arrays.fill(min, Long.MAX_VALUE);
        Arrays.fill(max, Long.MIN_VALUE);
        Columns none = new Columns(min, max);
        return new TimelineFrame(range, none, none, none, none, new long[0], List.of());
    }

    /** The time shown. */
    public TimeRange range() {
        return range;
    }

    /** Number of columns of every series. */
    public int columns() {
        return reserved.count();
    }

    /** Bytes taken from the device. */
    public Columns reserved() {
        return reserved;
    }

    /** Bytes in blocks handed to the trainer. */
    public Columns allocated() {
        return allocated;
    }

    /** Bytes that the trainer asked for. */
    public Columns requested() {
        return requested;
    }

    /** Cap on reserved. */
    public Columns limit() {
        return limit;
    }

    /** Number of step ends in the range. */
    public int stepCount() {
        return steps.length;
    }

    /** When the i-th of them ended. */
    public long stepNs(int i) {
        return steps[i];
    }

    /** Marked moments in the range, oldest first. */
    public List<Marker> markers() {
        return markers;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TimelineFrame that
                && range.equals(that.range)
                && reserved.equals(that.reserved)
                && allocated.equals(that.allocated)
                && requested.equals(that.requested)
                && limit.equals(that.limit)
                && Arrays.equals(steps, that.steps)
                && markers.equals(that.markers);
    }

    @Override
    public int hashCode() {
        return Objects.hash(range, reserved, allocated, requested, limit, Arrays.hashCode(steps), markers);
    }
}
