package dev.lacuna.core.history.attribution;

import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.SegmentSet;
import dev.lacuna.core.history.model.SegmentState;

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
