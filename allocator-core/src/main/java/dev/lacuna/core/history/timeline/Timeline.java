package dev.lacuna.core.history.timeline;

import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.history.model.DeviceHistory;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * A device's memory against its events: at every moment what was reserved, allocated, active and requested, and the three parts
 * of the gap, which sum to reserved − allocated. Moment k is the state after the first k events, 0 … {@link #size()}.
 *
 * <p>Nothing is kept per event. Every {@value #BUCKET} moments one whole state is, and the one of the peak among them; the others are worked
 * out again from the history's own columns. Above lies, for each series, a tree of extremes, so that those of any stretch are found without walking
 * it, and no peak is ever averaged away. Immutable; its {@link TimelineReader}s are cheap and belong to one thread each.
 */
public final class Timeline {
    static final int BUCKET = 32;

    private final DeviceHistory device;
    private final MemoryStates begins;
    private final MemoryStates peaks;
    private final byte[] peakOffsets;
    private final SparseChanges changes = new SparseChanges();
    private final Map<MemorySeries, ExtremesTree> extremes = new EnumMap<>(MemorySeries.class);
    private int[] ooms = {};

    private Timeline(DeviceHistory device) {
        this.device = device;
        int buckets = device.size() / BUCKET + 1;
        begins = new MemoryStates(buckets);
        peaks = new MemoryStates(buckets);
        peakOffsets = new byte[buckets];
        for (MemorySeries series : MemorySeries.values()) {
            extremes.put(series, new ExtremesTree(buckets));
        }
    }

    /** Works it out, in one walk over the events. */
    public static Timeline of(DeviceHistory device) {
        Timeline timeline = new Timeline(device);
        timeline.fill();
        return timeline;
    }

    /** Number of events; moments run from 0 to it. */
    public int size() {
        return device.size();
    }

    /** The device whose memory this is. */
    public DeviceHistory device() {
        return device;
    }

    /** Events that ran out of memory, in order. The array belongs to the caller. */
    public int[] ooms() {
        return ooms.clone();
    }

    /** One who reads it; not for two threads. */
    public TimelineReader reader() {
        return new TimelineReader(this);
    }

    ExtremesTree extremes(MemorySeries series) {
        return extremes.get(series);
    }

    SparseChanges changes() {
        return changes;
    }

    /** The states at the first moments of the buckets. */
    MemoryStates begins() {
        return begins;
    }

    /** The states at those moments of the buckets at which the most was allocated. */
    MemoryStates peaks() {
        return peaks;
    }

    /** The first moment of a bucket at which the most was allocated. */
    int peakOf(int bucket) {
        return bucket * BUCKET + peakOffsets[bucket];
    }

    private void fill() {
        RunningMemory now = RunningMemory.ofOpeningBlocks(device);
        SegmentUse use = new SegmentUse(device);
        now.reserved = use.reserved();
        now.releasable = use.releasable();
        long[] min = new long[MemorySeries.COUNT];
        long[] max = new long[MemorySeries.COUNT];
        for (int moment = 0; moment <= device.size(); moment++) {
            if (moment > 0) {
                pass(moment - 1, now, use);
            }
            boolean begins = moment % BUCKET == 0;
            keep(moment, begins, now.allocated > max[MemorySeries.ALLOCATED.ordinal()], now);
            for (MemorySeries series : MemorySeries.ALL) {
                long value = now.of(series);
                int s = series.ordinal();
                min[s] = begins ? value : Math.min(min[s], value);
                max[s] = begins ? value : Math.max(max[s], value);
            }
            if (moment % BUCKET == BUCKET - 1 || moment == device.size()) {
                for (MemorySeries series : MemorySeries.ALL) {
                    extremes.get(series).put(moment / BUCKET, min[series.ordinal()], max[series.ordinal()]);
                }
            }
        }
    }

    private void pass(int event, RunningMemory now, SegmentUse use) {
        if (device.action(event) == EventKind.OOM) {
            ooms = Arrays.copyOf(ooms, ooms.length + 1);
            ooms[ooms.length - 1] = event;
        }
        now.apply(device, event);
        use.apply(event);
        long reservedBy = use.reserved() - now.reserved;
        long releasableBy = use.releasable() - now.releasable;
        if (reservedBy != 0 || releasableBy != 0) {
            changes.add(event, reservedBy, releasableBy);
            now.reserved += reservedBy;
            now.releasable += releasableBy;
        }
    }

    private void keep(int moment, boolean first, boolean highest, RunningMemory now) {
        int bucket = moment / BUCKET;
        if (first) {
            begins.put(bucket, now);
        }
        if (first || highest) {
            peaks.put(bucket, now);
            peakOffsets[bucket] = (byte) (moment % BUCKET);
        }
    }
}
