package dev.lacuna.ui.chart;

import java.util.Arrays;

/**
 * The smallest and largest value of one series in each column of pixels. Immutable: the arrays belong to it.
 * A column without data has no extremes, see {@link #present(int)}.
 */
public final class Columns {
    private final long[] min;
    private final long[] max;

    /** Takes ownership of the arrays; min &gt; max marks a column without data. */
    public Columns(long[] min, long[] max) {
        if (min.length != max.length) {
            throw new IllegalArgumentException(min.length + " smallest values, " + max.length + " largest");
        }
        this.min = min;
        this.max = max;
    }

    /** Number of columns. */
    public int count() {
        return min.length;
    }

    /** Whether the column has data. */
    public boolean present(int column) {
        return min[column] <= max[column];
    }

    /** Smallest value of a column that has data. */
    public long min(int column) {
        return min[column];
    }

    /** Largest value of a column that has data. */
    public long max(int column) {
        return max[column];
    }

    /** Largest value of all columns, or the given one where there is no data. */
    public long largest(long otherwise) {
        long largest = Long.MIN_VALUE;
        for (int c = 0; c < max.length; c++) {
            largest = Math.max(largest, max[c]);
        }
        return largest == Long.MIN_VALUE ? otherwise : largest;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Columns that && Arrays.equals(min, that.min) && Arrays.equals(max, that.max);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(min) + Arrays.hashCode(max);
    }
}
