package dev.lacuna.core.history.timeline;

import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.MemoryAtMoment;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads a {@link Timeline}: one moment, the extremes of a stretch, many columns at once, or where the peak is.
 * Belongs to the thread that first uses it.
 */
public final class TimelineReader {
    private static final int BUCKET = Timeline.BUCKET;
    private static final int ALLOCATED = MemorySeries.ALLOCATED.ordinal();

    /** Columns from this many moments are cut along whole buckets. */
    private static final int WIDE = 2 * BUCKET;

    private final Timeline timeline;
    private final DeviceHistory device;
    private final RunningMemory memory = new RunningMemory();

    /** The values of the moments of one bucket, by series: what lies between two kept states, worked out. */
    private final long[][] bucket = new long[MemorySeries.COUNT][BUCKET];

    private final long[] lowest = new long[MemorySeries.COUNT];
    private final long[] highest = new long[MemorySeries.COUNT];
    private int decoded = -1;
    private Optional<Thread> owner = Optional.empty();

    /** The first moment of the stretch measured last at which the most was allocated, and the series at it where it was scanned. */
    private int peak;

    private final long[] atPeak = new long[MemorySeries.COUNT];

    TimelineReader(Timeline timeline) {
        this.timeline = timeline;
        this.device = timeline.device();
    }

    /** The memory at a moment. */
    public MemoryAtMoment at(int moment) {
        requireOwner();
        decode(moment / BUCKET);
        int i = moment % BUCKET;
        return new MemoryAtMoment(
                moment,
                value(MemorySeries.RESERVED, i),
                value(MemorySeries.ALLOCATED, i),
                value(MemorySeries.REQUESTED, i),
                new GapParts(
                        value(MemorySeries.RELEASABLE, i),
                        value(MemorySeries.SPLIT, i),
                        value(MemorySeries.PENDING, i)));
    }

    /** The value of one series at a moment, in bytes. */
    public long at(MemorySeries series, int moment) {
        requireOwner();
        decode(moment / BUCKET);
        return value(series, moment % BUCKET);
    }

    /**
     * Cuts the moments into columns: column c holds the moments {@code edges[c] ≤ m < edges[c + 1]}, at least the first of them. The
     * edges of wide columns are moved by less than {@value Timeline#BUCKET} moments, so that ten million events are cut as fast as a
     * thousand; every moment stays in some column.
     *
     * @param edges moments, none smaller than the one before; those outside the recording count as its ends
     * @param columns how many columns; one less than the edges
     * @param into what to fill
     */
    public void cut(int[] edges, int columns, TimelineCut into) {
        requireOwner();
        into.resize(columns);
        int from = columns == 0 ? 0 : within(edges[0]);
        for (int c = 0; c < columns; c++) {
            int to = within(edges[c + 1]);
            if (to - within(edges[c]) < WIDE) {
                cutNarrow(c, from, to, into);
                from = to;
            } else {
                int end = wholeBefore(to);
                cutWide(c, from / BUCKET, end, into);
                from = end * BUCKET;
            }
        }
    }

    private int within(int edge) {
        return Math.max(0, Math.min(edge, timeline.size() + 1));
    }

    private void cutNarrow(int column, int from, int to, TimelineCut into) {
        int first = first(from);
        begin();
        scan(first, end(first, to));
        into.put(column, lowest, highest);
        into.putPeak(column, peak);
        for (MemorySeries series : MemorySeries.ALL) {
            into.putAtPeak(series, column, atPeak[series.ordinal()]);
        }
    }

    private void cutWide(int column, int firstBucket, int endBucket, TimelineCut into) {
        for (MemorySeries series : MemorySeries.ALL) {
            lowest[series.ordinal()] = timeline.extremes(series).min(firstBucket, endBucket);
            highest[series.ordinal()] = timeline.extremes(series).max(firstBucket, endBucket);
        }
        into.put(column, lowest, highest);
        int bucketOfPeak =
                timeline.extremes(MemorySeries.ALLOCATED).firstReaching(highest[ALLOCATED], firstBucket, endBucket);
        into.putPeak(column, timeline.peakOf(bucketOfPeak));
        timeline.peaks().get(bucketOfPeak, memory);
        for (MemorySeries series : MemorySeries.ALL) {
            into.putAtPeak(series, column, memory.of(series));
        }
    }

    /** The largest value of a series in the moments {@code from ≤ m < to}, at least the first of them. In bytes. */
    public long highest(MemorySeries series, int from, int to) {
        measure(from, to);
        return highest[series.ordinal()];
    }

    /** The first of the moments {@code from ≤ m < to}, at least the first of them, at which the most was allocated. */
    public int peak(int from, int to) {
        measure(from, to);
        return peak;
    }

    /** Finds the extremes of all series and the first moment of the most allocated, in one pass: nothing is looked for afterwards. */
    private void measure(int from, int to) {
        int first = first(from);
        int end = end(first, to);
        int firstWhole = -Math.floorDiv(-first, BUCKET);
        int endWhole = wholeBefore(end);
        begin();
        if (firstWhole >= endWhole) {
            scan(first, end);
            return;
        }
        scan(first, firstWhole * BUCKET);
        ExtremesTree allocated = timeline.extremes(MemorySeries.ALLOCATED);
        long most = allocated.max(firstWhole, endWhole);
        if (most > highest[ALLOCATED]) {
            peak = timeline.peakOf(allocated.firstReaching(most, firstWhole, endWhole));
        }
        for (MemorySeries series : MemorySeries.ALL) {
            int s = series.ordinal();
            lowest[s] = Math.min(lowest[s], timeline.extremes(series).min(firstWhole, endWhole));
            highest[s] = Math.max(highest[s], timeline.extremes(series).max(firstWhole, endWhole));
        }
        scan(endWhole * BUCKET, end);
    }

    private void begin() {
        requireOwner();
        Arrays.fill(lowest, Long.MAX_VALUE);
        Arrays.fill(highest, Long.MIN_VALUE);
    }

    private int first(int moment) {
        return Math.max(0, Math.min(moment, timeline.size()));
    }

    private int end(int first, int moment) {
        return Math.max(first + 1, Math.min(moment, timeline.size() + 1));
    }

    /** Buckets that end before a moment; the last one may be shorter than the others. */
    private int wholeBefore(int end) {
        return end > timeline.size() ? timeline.size() / BUCKET + 1 : end / BUCKET;
    }

    private void scan(int from, int to) {
        for (int at = from; at < to; ) {
            decode(at / BUCKET);
            int end = Math.min(to, (at / BUCKET + 1) * BUCKET);
            scanBucket(at, end);
            at = end;
        }
    }

    /** Moments of the bucket that is decoded. */
    private void scanBucket(int from, int end) {
        int base = decoded * BUCKET;
        for (int moment = from; moment < end; moment++) {
            if (bucket[ALLOCATED][moment - base] > highest[ALLOCATED]) {
                highest[ALLOCATED] = bucket[ALLOCATED][moment - base];
                peak = moment;
            }
        }
        for (int s = 0; s < MemorySeries.COUNT; s++) {
            for (int moment = from; moment < end; moment++) {
                lowest[s] = Math.min(lowest[s], bucket[s][moment - base]);
                highest[s] = Math.max(highest[s], bucket[s][moment - base]);
            }
            if (peak >= from) {
                atPeak[s] = bucket[s][peak - base];
            }
        }
    }

    private long value(MemorySeries series, int i) {
        return bucket[series.ordinal()][i];
    }

    /** Two threads would read each other's buckets, now and then: that is refused at once instead. */
    private void requireOwner() {
        Thread here = Thread.currentThread();
        if (owner.isEmpty()) {
            owner = Optional.of(here);
        } else if (owner.get() != here) {
            throw new IllegalStateException("a reader of a timeline belongs to the thread that first used it, "
                    + owner.get().getName() + ", and not to " + here.getName());
        }
    }

    private void decode(int wanted) {
        if (decoded == wanted) {
            return;
        }
        int first = wanted * BUCKET;
        timeline.begins().get(wanted, memory);
        int change = timeline.changes().first(first);
        for (int i = 0; i < BUCKET && first + i <= timeline.size(); i++) {
            if (i > 0) {
                memory.apply(device, first + i - 1);
                change = timeline.changes().apply(change, first + i - 1, memory);
            }
            for (MemorySeries series : MemorySeries.ALL) {
                bucket[series.ordinal()][i] = memory.of(series);
            }
        }
        decoded = wanted;
    }
}
