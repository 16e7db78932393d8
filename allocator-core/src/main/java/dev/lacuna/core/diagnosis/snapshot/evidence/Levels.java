package dev.lacuna.core.diagnosis.snapshot.evidence;

import dev.lacuna.core.history.model.DeviceHistory;
import java.util.Arrays;

/**
 * Where allocated memory stood highest, where what is pending did, and the lowest moment of each stretch of a recording.
 *
 * @param peakMoment when most was allocated, the first time
 * @param peakBytes how much that was
 * @param pendingMoment when most was freed and still in use by a stream
 * @param pendingBytes how much that was
 * @param troughs the moment of least allocated in each stretch, in order
 */
public record Levels(int peakMoment, long peakBytes, int pendingMoment, long pendingBytes, int[] troughs) {
    /** In so many stretches a recording without step marks is divided. */
    static final int STRETCHES = 10;

    static Levels of(DeviceHistory history) {
        Walk walk = new Walk(history);
        Marks marks = new Marks(walk, history.size());
        for (int i = 0; i < history.size(); i++) {
            walk.step(i);
            marks.note(i);
        }
        return new Levels(marks.peakMoment, marks.peak, marks.pendingMoment, marks.pendingPeak, marks.troughs());
    }

    /** What is allocated and pending, event by event. */
    public static final class Walk {
        private final DeviceHistory history;
        private long allocated;
        private long pending;
        private boolean held;

        /** Begins at moment 0. */
        public Walk(DeviceHistory history) {
            this.history = history;
            for (int a = 0; a < history.openingAllocations(); a++) {
                boolean live = history.freedAt(a) >= 0;
                allocated += live ? history.bytesOf(a) : 0;
                pending += live ? 0 : history.bytesOf(a);
            }
        }

        /** Goes past event i; called for every event in order. */
        public void step(int i) {
            held = false;
            int a = history.allocation(i);
            if (a >= 0) {
                long bytes = history.bytesOf(a);
                allocated += history.bornAt(a) == i ? bytes : 0;
                if (history.freedAt(a) == i) {
                    allocated -= bytes;
                    pending += bytes;
                    // A free that completes with the very next event holds nothing back.
                    held = history.diedAt(a) > i + 1;
                }
                pending -= history.diedAt(a) == i ? bytes : 0;
            }
        }

        public long allocated() {
            return allocated;
        }

        long pending() {
            return pending;
        }
    }

    /** The extremes met on the way. */
    private static final class Marks {
        private final Walk walk;
        private final int size;
        private final int[] troughs;
        private final long[] lows;
        private long peak;
        private long pendingPeak;
        private int peakMoment;
        private int pendingMoment;

        Marks(Walk walk, int size) {
            this.walk = walk;
            this.size = size;
            this.peak = walk.allocated();
            this.troughs = new int[Math.max(1, Math.min(STRETCHES, size))];
            this.lows = new long[troughs.length];
            Arrays.fill(lows, Long.MAX_VALUE);
        }

        void note(int i) {
            int moment = i + 1;
            if (walk.allocated() > peak) {
                peak = walk.allocated();
                peakMoment = moment;
            }
            if (walk.held && walk.pending() > pendingPeak) {
                pendingPeak = walk.pending();
                pendingMoment = moment;
            }
            int stretch = (int) ((long) i * troughs.length / size);
            if (walk.allocated() < lows[stretch]) {
                lows[stretch] = walk.allocated();
                troughs[stretch] = moment;
            }
        }

        int[] troughs() {
            return size == 0 ? new int[0] : troughs;
        }
    }
}
