package dev.lacuna.ui.places.live;

import dev.lacuna.ui.chart.TimeRange;

/** When the newest steps ended: a ring of times that only grow. */
final class StepMarks {
    /** 36 steps a second for 30 minutes. */
    private static final int CAPACITY = 1 << 16;

    private final long[] times = new long[CAPACITY];
    private long end;

    void add(long timeNs) {
        if (end == 0 || timeNs > at(end - 1)) {
            times[(int) (end++ % CAPACITY)] = timeNs;
        }
    }

    void clear() {
        end = 0;
    }

    /** The ends within the range, or none at all when there are more than so many: they would be a smear. */
    long[] within(TimeRange range, int atMost) {
        long from = firstAtOrAfter(range.startNs());
        long to = firstAtOrAfter(range.endNs());
        if (to - from > atMost) {
            return new long[0];
        }
        long[] found = new long[(int) (to - from)];
        for (int i = 0; i < found.length; i++) {
            found[i] = at(from + i);
        }
        return found;
    }

    private long firstAtOrAfter(long timeNs) {
        long low = Math.max(0, end - CAPACITY);
        long high = end;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (at(middle) < timeNs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private long at(long index) {
        return times[(int) (index % CAPACITY)];
    }
}
