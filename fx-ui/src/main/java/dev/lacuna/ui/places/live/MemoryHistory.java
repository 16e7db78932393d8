package dev.lacuna.ui.places.live;

import dev.lacuna.bridge.Sample;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.base.event.MemoryEvents;
import dev.lacuna.ui.chart.Columns;
import dev.lacuna.ui.chart.Marker;
import dev.lacuna.ui.chart.Reading;
import dev.lacuna.ui.chart.SeriesHistory;
import dev.lacuna.ui.chart.TimeRange;
import dev.lacuna.ui.chart.TimelineFrame;
import dev.lacuna.ui.chart.TimelineSource;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * One device's memory: finely over the last 30 minutes, by the second over the day before. Between two samples it follows the events, so a peak of a microsecond
 * is kept; a sample that brings a longer past (a black box, a reader that was late) is cut into slices of it.
 *
 * <p>Events carry requested bytes; allocated is requested plus rounding, and rounding is known exactly only at samples
 * (and at a new overall peak). Between them it is taken to change evenly.
 */
public final class MemoryHistory implements TimelineSource {
    /** 30 minutes at 30 samples a second. */
    public static final int SAMPLES = 30 * 60 * 30;

    /** A day of seconds. */
    private static final int SECONDS = 24 * 60 * 60;

    private static final long SECOND_NS = 1_000_000_000;

    static final String MARK_OPTIMISATION = "optimisation";
    static final String MARK_LIMIT = "limit";
    static final String MARK_OOM = "oom";
    static final String MARK_RETRY = "retry";
    static final String MARK_GROW = "grow";
    static final String MARK_RELEASE = "release";
    static final String MARK_REMAP = "remap";

    private static final long SLICE_NS = 50_000_000;
    private static final long SLICE_ABOVE_NS = 2 * SLICE_NS;
    private static final int MAX_MARKERS = 1024;

    /** What an allocator does all the time must not push out what is rare, nor cover the picture. */
    private static final int MAX_FAINT = 4096;

    private static final int COLUMNS_A_FAINT = 6;
    private static final long FAINT_NS = 10_000_000;

    private static final int RESERVED = 0;
    private static final int ALLOCATED = 1;
    private static final int REQUESTED = 2;
    private static final int LIMIT = 3;
    private static final int STEP = 4;
    private static final int SERIES = 5;

    private final SeriesHistory series = new SeriesHistory(SERIES, SAMPLES);
    private final StepMarks steps = new StepMarks();
    private final Deque<Marker> markers = new ArrayDeque<>();
    private final Deque<Marker> faint = new ArrayDeque<>();
    private final SeriesHistory seconds = new SeriesHistory(SERIES, SECONDS);
    private final long[] secondMin = new long[SERIES];
    private final long[] secondMax = new long[SERIES];
    private long secondBegan;
    private final EventWalk walk = new EventWalk();
    private final long[] value = new long[SERIES];
    private final long[] min = new long[SERIES];
    private final long[] max = new long[SERIES];
    private Optional<MemoryCounters> before = Optional.empty();
    private long wallOffsetMs;

    /** Takes in one sample's counters of one device, with the sample's events of that device. */
    public void add(Sample sample, MemoryCounters counters) {
        add(sample, counters, true);
    }

    /** The same of a process whose events tell how two looks at its blocks differ, not when each came and went. */
    void addLooks(Sample sample, MemoryCounters counters) {
        add(sample, counters, false);
    }

    private void add(Sample sample, MemoryCounters counters, boolean toldAsTheyHappen) {
        MemoryEvents events = sample.events();
        walk.walk(events, counters, toldAsTheyHappen);
        wallOffsetMs = sample.timeMs() - sample.monotonicNs() / 1_000_000;
        long past = startOfPast(events, sample);
        boolean sliced = sample.monotonicNs() - past > SLICE_ABOVE_NS;
        begin();
        for (int i = 0; i < walk.count(); i++) {
            long time = events.timeNs(walk.row(i));
            if (sliced && i > 0 && time - past >= SLICE_NS) {
                append(time - 1);
                begin();
                past = time;
            }
            follow(events, i, counters);
            mark(events, walk.row(i));
        }
        set(counters);
        if (!sliced) {
            before.ifPresent(then -> stretchToNewPeaks(then, counters));
        }
        append(sample.monotonicNs());
        before = Optional.of(counters);
    }

    /** Forgets everything: another process or device follows. */
    public void clear() {
        series.clear();
        steps.clear();
        markers.clear();
        faint.clear();
        seconds.clear();
        beginSecond(0);
        before = Optional.empty();
    }

    @Override
    public TimelineFrame frame(TimeRange range, int columns) {
        if (series.isEmpty()) {
            return TimelineFrame.empty(range, columns);
        }
        Columns[] all = (isFine(range) ? series : seconds).columns(range, columns);
        List<Marker> ticks =
                faint.stream().filter(m -> range.contains(m.timeNs())).toList();
        List<Marker> shown = Stream.concat(
                        ticks.size() * COLUMNS_A_FAINT <= columns ? ticks.stream() : Stream.empty(),
                        markers.stream().filter(m -> range.contains(m.timeNs())))
                .toList();
        return new TimelineFrame(
                range,
                all[RESERVED],
                all[ALLOCATED],
                all[REQUESTED],
                all[LIMIT],
                steps.within(range, columns / 4),
                shown);
    }

    @Override
    public Optional<TimeRange> extent() {
        return series.isEmpty() ? Optional.empty() : Optional.of(new TimeRange(firstNs() - 1, series.latestNs()));
    }

    private long firstNs() {
        return seconds.isEmpty() ? series.firstNs() : Math.min(seconds.firstNs(), series.firstNs());
    }

    /** Whether all of it is known finely, or nothing is known of it any less finely. */
    private boolean isFine(TimeRange range) {
        return seconds.isEmpty() || range.startNs() >= series.firstNs() || series.firstNs() <= seconds.firstNs();
    }

    /** Memory is kept by sample, and once more by the second for the time when the samples are gone. */
    private void append(long timeNs) {
        if (!series.append(timeNs, value, min, max)) {
            return;
        }
        if (secondBegan == 0) {
            beginSecond(timeNs);
        }
        for (int s = 0; s < SERIES; s++) {
            secondMin[s] = Math.min(secondMin[s], Math.min(min[s], value[s]));
            secondMax[s] = Math.max(secondMax[s], Math.max(max[s], value[s]));
        }
        if (timeNs - secondBegan >= SECOND_NS) {
            seconds.append(timeNs, value, secondMin, secondMax);
            beginSecond(timeNs);
        }
    }

    private void beginSecond(long timeNs) {
        secondBegan = timeNs;
        Arrays.fill(secondMin, Long.MAX_VALUE);
        Arrays.fill(secondMax, Long.MIN_VALUE);
    }

    @Override
    public Optional<Reading> readingAt(long timeNs) {
        if (series.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(reading(timeNs < series.firstNs() && !seconds.isEmpty() ? seconds : series, timeNs));
    }

    private static Reading reading(SeriesHistory from, long timeNs) {
        long i = Math.min(from.indexAtOrAfter(timeNs), from.endIndex() - 1);
        return new Reading(
                from.timeNs(i),
                from.value(STEP, i),
                from.value(RESERVED, i),
                from.value(ALLOCATED, i),
                from.max(ALLOCATED, i),
                from.value(REQUESTED, i),
                from.value(LIMIT, i));
    }

    /** The newest mark with a word before an instant, or the first after it. */
    Optional<Marker> markBeside(long timeNs, boolean later) {
        return later
                ? markers.stream().filter(m -> m.timeNs() > timeNs).findFirst()
                : markers.stream().filter(m -> m.timeNs() < timeNs).reduce((one, next) -> next);
    }

    @Override
    public OptionalLong wallClockMs(long timeNs) {
        return series.isEmpty() ? OptionalLong.empty() : OptionalLong.of(timeNs / 1_000_000 + wallOffsetMs);
    }

    private long startOfPast(MemoryEvents events, Sample sample) {
        if (!series.isEmpty()) {
            return series.latestNs();
        }
        return walk.count() > 0 ? events.timeNs(walk.row(0)) : sample.monotonicNs();
    }

    private void begin() {
        Arrays.fill(min, Long.MAX_VALUE);
        Arrays.fill(max, Long.MIN_VALUE);
    }

    private void follow(MemoryEvents events, int i, MemoryCounters counters) {
        long then = before.map(MemoryCounters::roundingBytes).orElse(counters.roundingBytes());
        long rounding = then + (counters.roundingBytes() - then) * (i + 1) / walk.count();
        value[REQUESTED] = walk.requested(i);
        value[RESERVED] = walk.reserved(i);
        value[ALLOCATED] = Math.min(walk.requested(i) + rounding, walk.reserved(i));
        int row = walk.row(i);
        if (isKind(events, row, EventKind.LIMIT)) {
            value[LIMIT] = events.sizeOf(row);
        } else if (i == 0) {
            value[LIMIT] = before.map(MemoryCounters::limitBytes).orElse(counters.limitBytes());
        }
        if (isKind(events, row, EventKind.STEP)) {
            value[STEP] = events.sizeOf(row);
        } else if (i == 0) {
            value[STEP] = before.map(MemoryCounters::step).orElse(counters.step());
        }
        widen();
    }

    private void set(MemoryCounters counters) {
        value[RESERVED] = counters.reservedBytes();
        value[ALLOCATED] = counters.allocatedBytes();
        value[REQUESTED] = counters.requestedBytes();
        value[LIMIT] = counters.limitBytes();
        value[STEP] = counters.step();
        widen();
    }

    private void widen() {
        for (int s = 0; s < SERIES; s++) {
            min[s] = Math.min(min[s], value[s]);
            max[s] = Math.max(max[s], value[s]);
        }
    }

    /** A new overall peak was reached since the sample before: the agent knows its exact height. */
    private void stretchToNewPeaks(MemoryCounters then, MemoryCounters now) {
        if (now.peakAllocatedBytes() > then.peakAllocatedBytes()) {
            max[ALLOCATED] = now.peakAllocatedBytes();
        }
        if (now.peakReservedBytes() > then.peakReservedBytes()) {
            max[RESERVED] = now.peakReservedBytes();
        }
    }

    private void mark(MemoryEvents events, int row) {
        long time = events.timeNs(row);
        if (isKind(events, row, EventKind.STEP)) {
            steps.add(time);
        } else if (isKind(events, row, EventKind.OPTIMISATION)) {
            keep(new Marker(time, Marker.Tone.NOTE, MARK_OPTIMISATION, events.sizeOf(row)));
        } else if (isKind(events, row, EventKind.LIMIT)) {
            keep(new Marker(time, Marker.Tone.NOTE, MARK_LIMIT, events.sizeOf(row)));
        } else if (isKind(events, row, EventKind.OOM)) {
            keep(new Marker(time, Marker.Tone.ALARM, MARK_OOM, events.sizeOf(row)));
        } else if (isKind(events, row, EventKind.RETRY)) {
            keep(new Marker(time, Marker.Tone.NOTE, MARK_RETRY, events.sizeOf(row)));
        } else if (isKind(events, row, EventKind.GROW)) {
            keepFaint(new Marker(time, Marker.Tone.FAINT, MARK_GROW, events.sizeOf(row)));
        } else if (isKind(events, row, EventKind.RELEASE)) {
            keepFaint(new Marker(time, Marker.Tone.FAINT, MARK_RELEASE, events.sizeOf(row)));
        } else if (isKind(events, row, EventKind.REMAP)) {
            keepFaint(new Marker(time, Marker.Tone.FAINT, MARK_REMAP, events.sizeOf(row)));
        }
    }

    private void keep(Marker marker) {
        if (markers.size() == MAX_MARKERS) {
            markers.removeFirst();
        }
        markers.addLast(marker);
    }

    /** Chunks come and go many at once: one tick tells of all of them. */
    private void keepFaint(Marker marker) {
        if (!faint.isEmpty() && marker.timeNs() - faint.getLast().timeNs() < FAINT_NS) {
            return;
        }
        if (faint.size() == MAX_FAINT) {
            faint.removeFirst();
        }
        faint.addLast(marker);
    }

    private static boolean isKind(MemoryEvents events, int row, EventKind kind) {
        return events.kindCode(row) == kind.ordinal() + 1;
    }
}
