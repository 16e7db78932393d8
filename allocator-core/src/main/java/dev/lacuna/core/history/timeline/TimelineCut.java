package dev.lacuna.core.history.timeline;

import java.util.Arrays;

/**
 * The smallest and largest value of every series in each of so many columns of moments. Whoever cuts may fill the same cut again:
 * a timeline is cut anew for every picture.
 */
public final class TimelineCut {
    private final long[][] mins = new long[MemorySeries.COUNT][];
    private final long[][] maxs = new long[MemorySeries.COUNT][];
    private final long[][] peaks = new long[MemorySeries.COUNT][];
    private int[] peakMoments = {};
    private int columns;

    /** Makes room for so many columns, none of which holds anything yet. */
    void resize(int wanted) {
        if (mins[0] == null || mins[0].length < wanted) {
            for (int s = 0; s < MemorySeries.COUNT; s++) {
                mins[s] = new long[wanted];
                maxs[s] = new long[wanted];
                peaks[s] = new long[wanted];
            }
            peakMoments = new int[wanted];
        }
        columns = wanted;
    }

    /** Sets the extremes of all series, by their order, in one column. */
    void put(int column, long[] lowest, long[] highest) {
        for (int s = 0; s < MemorySeries.COUNT; s++) {
            mins[s][column] = lowest[s];
            maxs[s][column] = highest[s];
        }
    }

    /** Sets the moment at which the most was allocated in a column; never one before that of the column at its left. */
    void putPeak(int column, int moment) {
        peakMoments[column] = column == 0 ? moment : Math.max(moment, peakMoments[column - 1]);
    }

    void putAtPeak(MemorySeries series, int column, long value) {
        peaks[series.ordinal()][column] = value;
    }

    /** Number of columns. */
    public int columns() {
        return columns;
    }

    /** The smallest value of a series in a column, in bytes. */
    public long min(MemorySeries series, int column) {
        return mins[series.ordinal()][column];
    }

    /** The largest value of a series in a column, in bytes. */
    public long max(MemorySeries series, int column) {
        return maxs[series.ordinal()][column];
    }

    /** The first moment of a column at which the most was allocated. */
    public int peakMoment(int column) {
        return peakMoments[column];
    }

    /** {@link #peakMoment} of every column, none smaller than the one before. The array belongs to the caller. */
    public int[] peakMoments() {
        return Arrays.copyOf(peakMoments, columns);
    }

    /** The value of a series at that moment, in bytes: all series at one moment fit together, which their extremes do not. */
    public long atPeak(MemorySeries series, int column) {
        return peaks[series.ordinal()][column];
    }

    /** The largest value of a series in all columns, in bytes; 0 without columns. */
    public long largest(MemorySeries series) {
        long largest = 0;
        for (int c = 0; c < columns; c++) {
            largest = Math.max(largest, maxs[series.ordinal()][c]);
        }
        return largest;
    }
}
