package dev.lacuna.ui.places.recording.timeline;

import java.util.Locale;

/** Round distances along an axis, and what its marks say. */
final class AxisMarks {
    private static final String[] UNITS = {"ns", "µs", "ms", "s"};
    private static final int STEPS_A_DECADE = 3;

    private AxisMarks() {}

    /** The smallest of 1, 2 and 5 times a power of ten that gives at most so many marks over a span; at least 1. */
    static double step(double span, int atMost) {
        double step = 1;
        for (int i = 0; span / step > Math.max(1, atMost); i++) {
            step = i % STEPS_A_DECADE == 1 ? step / 2 * 5 : step * 2;
        }
        return step;
    }

    /**
     * So many nanoseconds in the unit, and with the decimals, that marks at this distance need.
     *
     * @param farthest the farthest of the marks: all of them have one unit
     */
    static String time(double ns, double step, double farthest) {
        int unit = 0;
        double inUnit = 1;
        // Four digits before the point are read more easily than the next unit with its decimals.
        while (unit + 1 < UNITS.length && Math.max(Math.abs(farthest), step) / inUnit >= 10_000) {
            inUnit *= 1_000;
            unit++;
        }
        int decimals = 0;
        for (double rest = step / inUnit; rest < 0.999 && decimals < 9; rest *= 10) {
            decimals++;
        }
        return ns == 0 ? "0" : String.format(Locale.ROOT, "%." + decimals + "f %s", ns / inUnit, UNITS[unit]);
    }

    /** So many events. */
    static String events(double events) {
        return String.format(Locale.ROOT, "%,d", Math.round(events));
    }
}
