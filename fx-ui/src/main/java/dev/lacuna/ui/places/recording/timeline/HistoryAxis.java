package dev.lacuna.ui.places.recording.timeline;

import dev.lacuna.core.history.model.DeviceHistory;

/**
 * The horizontal axis of a recording: a place along it, a number from 0 to {@link #extent}, means a moment. Either each event takes
 * the same room, or each nanosecond does.
 */
sealed interface HistoryAxis {
    /** The place of the last moment; that of the first is 0. Always &gt; 0. */
    double extent();

    /** The shortest stretch that makes sense to show. */
    double shortest();

    /** The moment at a place: the state after all events up to it. */
    int momentAt(double place);

    /** Where a moment begins. */
    double placeOf(int moment);

    /** The axis of a device, by time where its events tell their times. */
    static HistoryAxis of(DeviceHistory device, boolean byTime) {
        return byTime && ByTime.suits(device) ? new ByTime(device) : new ByEvent(device.size());
    }

    /**
     * The moments at the borders of so many columns over a stretch, ready for {@code TimelineReader.cut}.
     *
     * @param into at least one more than the columns
     */
    default void cut(double from, double to, int columns, int[] into) {
        for (int c = 0; c <= columns; c++) {
            into[c] = momentAt(from + (to - from) * c / columns);
        }
    }

    /** Each event takes the same room; the place is the number of events. */
    record ByEvent(int size) implements HistoryAxis {
        private static final double FEWEST = 8;

        @Override
        public double extent() {
            return Math.max(1, size);
        }

        @Override
        public double shortest() {
            return Math.min(FEWEST, extent());
        }

        @Override
        public int momentAt(double place) {
            return (int) Math.max(0, Math.min(size, Math.floor(place)));
        }

        @Override
        public double placeOf(int moment) {
            return moment;
        }
    }

    /** Each nanosecond takes the same room; the place is nanoseconds since the first event. */
    record ByTime(DeviceHistory device) implements HistoryAxis {
        private static final double SHORTEST_NS = 1_000;

        /** Whether the device's events tell times that differ. */
        static boolean suits(DeviceHistory device) {
            return device.timed() && device.timeNs(device.size() - 1) > device.timeNs(0);
        }

        @Override
        public double extent() {
            return device.timeNs(device.size() - 1) - device.timeNs(0);
        }

        @Override
        public double shortest() {
            return Math.min(SHORTEST_NS, extent());
        }

        @Override
        public int momentAt(double place) {
            double time = device.timeNs(0) + place;
            int low = 0;
            int high = device.size();
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (device.timeNs(middle) <= time) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }

        @Override
        public double placeOf(int moment) {
            return moment == 0 ? 0 : device.timeNs(Math.min(moment, device.size()) - 1) - device.timeNs(0);
        }
    }
}
