package dev.lacuna.core.diagnosis.snapshot.evidence;

import dev.lacuna.core.history.attribution.SegmentsAt;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.MemoryAtMoment;
import dev.lacuna.core.history.model.Moment;
import dev.lacuna.core.history.model.SegmentState;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Segments with their blocks at one moment. Made anew for each moment that a rule asks for, in one pass. Immutable. */
public final class Occupancy {
    private final DeviceHistory history;
    private final Moment moment;
    private final List<SegmentAtMoment> segments;

    private Occupancy(DeviceHistory history, Moment moment, List<SegmentAtMoment> segments) {
        this.history = history;
        this.moment = moment;
        this.segments = List.copyOf(segments);
    }

    public static Occupancy at(DeviceHistory history, int event) {
        SegmentState state = SegmentsAt.moment(history, event);
        Moment moment = Moment.of(history, event, state);
        List<SegmentAtMoment> segments = new ArrayList<>(state.size());
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
            segments.add(new SegmentAtMoment(
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

    public int moment() {
        return moment.event();
    }

    /** By address. */
    public List<SegmentAtMoment> segments() {
        return segments;
    }

    /** The device's memory then, as everybody counts it. */
    public MemoryAtMoment totals() {
        return moment.totals();
    }

    /** Whether segments grow in place. */
    boolean expands() {
        return segments.stream().anyMatch(SegmentAtMoment::expandable);
    }
}
