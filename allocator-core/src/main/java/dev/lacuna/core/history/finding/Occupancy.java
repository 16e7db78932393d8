package dev.lacuna.core.history.finding;

import dev.lacuna.core.history.DeviceHistory;
import dev.lacuna.core.history.MemoryAtMoment;
import dev.lacuna.core.history.Moment;
import dev.lacuna.core.history.SegmentState;
import dev.lacuna.core.history.who.SegmentsAt;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Segments with their blocks at one moment. Made anew for each moment that a rule asks for, in one pass. Immutable. */
final class Occupancy {
    private final DeviceHistory history;
    private final Moment moment;
    private final List<SegmentUse> segments;

    private Occupancy(DeviceHistory history, Moment moment, List<SegmentUse> segments) {
        this.history = history;
        this.moment = moment;
        this.segments = List.copyOf(segments);
    }

    static Occupancy at(DeviceHistory history, int event) {
        SegmentState state = SegmentsAt.moment(history, event);
        Moment moment = Moment.of(history, event, state);
        List<SegmentUse> segments = new ArrayList<>(state.size());
        int next = 0;
        for (int s = 0; s < state.size(); s++) {
            long start = state.address(s);
            while (next < moment.blocks() && Long.compareUnsigned(history.addressOf(moment.block(next)), start) < 0) {
                next++; // Lies in no segment that is known.
            }
            int first = next;
            while (next < moment.blocks()
                    && Long.compareUnsigned(history.addressOf(moment.block(next)) - start, state.totalBytes(s)) < 0) {
                next++;
            }
            segments.add(new SegmentUse(
                    start,
                    state.totalBytes(s),
                    state.stream(s),
                    state.pool(s),
                    state.large(s),
                    state.expandable(s),
                    IntStream.range(first, next).map(moment::block).toArray(),
                    moment.activeBytes(s),
                    moment.releasableBytes(s)));
        }
        return new Occupancy(history, moment, segments);
    }

    DeviceHistory history() {
        return history;
    }

    int moment() {
        return moment.event();
    }

    /** By address. */
    List<SegmentUse> segments() {
        return segments;
    }

    /** The device's memory then, as everybody counts it. */
    MemoryAtMoment totals() {
        return moment.totals();
    }

    /** Whether segments grow in place. */
    boolean expands() {
        return segments.stream().anyMatch(SegmentUse::expandable);
    }
}
