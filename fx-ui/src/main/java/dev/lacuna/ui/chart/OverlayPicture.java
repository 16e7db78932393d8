package dev.lacuna.ui.chart;

import java.util.List;

/**
 * Several runs of one trace over each other: what each reserved, and what was allocated. All series have the same number of
 * stretches, each of which stands for the same number of rows. Immutable.
 *
 * @param rows rows of the trace
 * @param rowsPerStretch rows that one column of the series stands for
 * @param allocated bytes in blocks, by stretch
 * @param curves one per run
 * @param steps how many steps begin in each stretch
 */
public record OverlayPicture(long rows, long rowsPerStretch, Columns allocated, List<Curve> curves, int[] steps) {
    /**
     * One run.
     *
     * @param name what it is called, for people
     * @param colour which of the chart's curve colours it has, from 0
     * @param reserved bytes taken from the device, by stretch
     * @param failures how many requests failed in each stretch
     */
    public record Curve(String name, int colour, Columns reserved, int[] failures) {}

    /** Of no run. */
    public static final OverlayPicture NONE =
            new OverlayPicture(0, 1, new Columns(new long[0], new long[0]), List.of(), new int[0]);

    /** Number of stretches. */
    public int stretches() {
        return allocated.count();
    }

    /** The stretch at this share of the whole, 0 to 1. */
    public int stretchAt(double share) {
        double row = share * rows;
        return (int) Math.max(0, Math.min(stretches() - 1L, (long) (row / rowsPerStretch)));
    }

    /** The first stretch that the column of pixels number x of so many shows. */
    int firstStretch(int x, int width) {
        return stretchAt((double) x / width);
    }

    /** Where a stretch begins, as a share of the whole. */
    double shareOf(int stretch) {
        return rows == 0 ? 0 : Math.min(1, (double) stretch * rowsPerStretch / rows);
    }

    /** The extremes of a series in each of so many columns of pixels. */
    Columns fitted(Columns series, int width) {
        long[] min = new long[width];
        long[] max = new long[width];
        for (int x = 0; x < width; x++) {
            int from = firstStretch(x, width);
            int to = Math.max(from + 1, firstStretch(x + 1, width));
            min[x] = Long.MAX_VALUE;
            max[x] = Long.MIN_VALUE;
            for (int i = from; i < to; i++) {
                min[x] = Math.min(min[x], series.min(i));
                max[x] = Math.max(max[x], series.max(i));
            }
        }
        return new Columns(min, max);
    }
}
