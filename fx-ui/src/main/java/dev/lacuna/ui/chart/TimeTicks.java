package dev.lacuna.ui.chart;

/** Round distances between the marks of a time axis. */
final class TimeTicks {
    private static final long MS = 1_000_000L;
    private static final long S = 1_000 * MS;
    private static final long[] STEPS = {
        10 * MS, 20 * MS, 50 * MS, 100 * MS, 200 * MS, 500 * MS, S, 2 * S, 5 * S, 10 * S, 15 * S, 30 * S, 60 * S,
        120 * S, 300 * S, 600 * S
    };

    private TimeTicks() {}

    /** The smallest round distance, in nanoseconds, that gives at most so many marks over a span. */
    static long step(long spanNs, int atMost) {
        for (long step : STEPS) {
            if (spanNs / step <= atMost) {
                return step;
            }
        }
        return STEPS[STEPS.length - 1];
    }
}
