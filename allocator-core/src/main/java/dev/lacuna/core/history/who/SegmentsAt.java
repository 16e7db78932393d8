package dev.lacuna.core.history.who;

import dev.lacuna.core.history.DeviceHistory;
import dev.lacuna.core.history.SegmentSet;
import dev.lacuna.core.history.SegmentState;

/** The segments of a device at any moment: one pass over the events before it. */
public final class SegmentsAt {
    private SegmentsAt() {}

    /** The segments after the first {@code moment} events. */
    public static SegmentState moment(DeviceHistory history, int moment) {
        if (moment == history.size()) {
            return history.closing();
        }
        SegmentSet set = new SegmentSet(history.opening());
        for (int i = 0; i < moment; i++) {
            set.apply(history, i);
        }
        return set.state();
    }
}
