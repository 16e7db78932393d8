package dev.lacuna.ui.chart;

/**
 * The newest samples of several series in primitive arrays: for each sample its time, each series' value at that
 * time, and the extremes that the series reached since the sample before. Old samples leave when the ring is full.
 * Not safe for several threads: it belongs to the thread that appends, which also cuts frames from it.
 */
public final class SeriesHistory {
    private final int capacity;
    private final long[] times;
    private final long[][] values;
    private final MinMaxPyramid[] extremes;
    private long end;

    /**
     * @param series number of series, ≥ 1
     * @param samples how many samples are kept at least; rounded up to a multiple of {@link MinMaxPyramid#GRAIN}
     */
    public SeriesHistory(int series, int samples) {
        this.capacity = -Math.floorDiv(-samples, MinMaxPyramid.GRAIN) * MinMaxPyramid.GRAIN;
        this.times = new long[capacity];
        this.values = new long[series][capacity];
        this.extremes = new MinMaxPyramid[series];
        for (int s = 0; s < series; s++) {
            extremes[s] = new MinMaxPyramid(capacity);
        }
    }

    /**
     * Appends one sample. Samples that do not lie after the newest are left out: time only moves forward here.
     *
     * @param timeNs its time
     * @param value each series' value at that time
     * @param min smallest value of each series since the sample before
     * @param max largest value of each series since the sample before
     * @return whether it was appended
     */
    public boolean append(long timeNs, long[] value, long[] min, long[] max) {
        if (end > 0 && timeNs <= latestNs()) {
            return false;
        }
        int slot = slot(end);
        times[slot] = timeNs;
        for (int s = 0; s < values.length; s++) {
            values[s][slot] = value[s];
            extremes[s].put(end, Math.min(min[s], value[s]), Math.max(max[s], value[s]));
        }
        end++;
        return true;
    }

    /** Forgets everything. */
    public void clear() {
        end = 0;
    }

    /** Whether there is no sample. */
    public boolean isEmpty() {
        return end == 0;
    }

    /** Number of samples kept. */
    public int size() {
        return (int) (end - firstIndex());
    }

    /** Index of the oldest sample kept; indexes only grow. */
    public long firstIndex() {
        return Math.max(0, end - capacity);
    }

    /** Index after the newest sample. */
    public long endIndex() {
        return end;
    }

    /** Time of a kept sample. */
    public long timeNs(long index) {
        return times[slot(index)];
    }

    /** Value of a series at a kept sample. */
    public long value(int series, long index) {
        return values[series][slot(index)];
    }

    /** Smallest value of a series between the sample before and this one. */
    public long min(int series, long index) {
        return extremes[series].min(index);
    }

    /** Largest value of a series between the sample before and this one. */
    public long max(int series, long index) {
        return extremes[series].max(index);
    }

    /** Time of the oldest sample; there must be one. */
    public long firstNs() {
        return timeNs(firstIndex());
    }

    /** Time of the newest sample; there must be one. */
    public long latestNs() {
        return timeNs(end - 1);
    }

    /** Index of the first kept sample at or after a moment; {@link #endIndex()} when there is none. */
    public long indexAtOrAfter(long timeNs) {
        long low = firstIndex();
        long high = end;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (timeNs(middle) < timeNs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * The extremes of every series in each of {@code count} equal columns of a stretch of time. A sample speaks for the
     * time since the sample before, so it counts in every column which that time touches: no peak can fall between columns.
     */
    public Columns[] columns(TimeRange range, int count) {
        long first = firstIndex();
        long[] from = new long[count];
        long[] to = new long[count];
        long next = indexAtOrAfter(boundary(range, 0, count));
        for (int c = 0; c < count; c++) {
            from[c] = next;
            next = indexAtOrAfter(boundary(range, c + 1, count));
            to[c] = next == first ? first : Math.min(end, next + 1);
        }
        Columns[] all = new Columns[values.length];
        for (int s = 0; s < values.length; s++) {
            all[s] = columns(s, from, to);
        }
        return all;
    }

    private Columns columns(int series, long[] from, long[] to) {
        long[] min = new long[from.length];
        long[] max = new long[from.length];
        long[] pair = new long[2];
        for (int c = 0; c < from.length; c++) {
            extremes[series].extremes(from[c], to[c], pair);
            min[c] = pair[0];
            max[c] = pair[1];
        }
        return new Columns(min, max);
    }

    private static long boundary(TimeRange range, int column, int count) {
        return range.startNs() + Math.floorDiv(range.spanNs() * column, count);
    }

    private int slot(long index) {
        return (int) (index % capacity);
    }
}
