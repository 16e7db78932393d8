package dev.lacuna.ui.places.swap;

import dev.lacuna.bridge.Sample;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.SwapCounters;
import dev.lacuna.core.base.counters.SwapMode;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.base.event.MemoryEvents;
import dev.lacuna.ui.chart.SeriesHistory;
import dev.lacuna.ui.chart.TimeRange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What one device's swapping has counted over the last 30 minutes. Counters are sums; between two samples they are taken to
 * grow evenly, so that a step which ended between them gets its share.
 */
public final class SwapHistory {
    /** 30 minutes at 20 samples a second. */
    static final int SAMPLES = 30 * 60 * 20;

    /** As many of the newest steps as are kept. */
    static final int STEPS = 512;

    private static final int MAX_MOMENTS = 512;
    private static final int OUT = 0;
    private static final int IN = 1;
    private static final int COPY = 2;
    private static final int STALL = 3;
    private static final int SERIES = 4;
    private static final int STEP_EVENT = EventKind.STEP.ordinal() + 1;

    /** What a moment is marked for. */
    public enum Kind {
        /** Requests that got their memory from tensors that left for them. */
        RESCUE,
        /** Tensors that stayed because the budget was used up. */
        REFUSAL,
        /** Copies that failed and fell back. */
        FAILURE,
        /** What may leave was set. */
        MODE,
        /** The host's budget was set. */
        BUDGET
    }

    /**
     * A moment worth a mark.
     *
     * @param timeNs when it was seen, on the monotonic clock
     * @param kind what happened
     * @param value how many, or for settings what holds since (the mode's ordinal, bytes)
     */
    public record Moment(long timeNs, Kind kind, long value) {}

    /**
     * What one step copied.
     *
     * @param number the step
     * @param stepNs its time
     * @param copyNs time on the link in it
     * @param stallNs what was waited for it
     * @param rescues requests that were rescued in it
     * @param troubles copies that failed and tensors that the budget refused in it
     */
    public record Step(long number, long stepNs, long copyNs, long stallNs, long rescues, long troubles) {
        /** The part of the waiting that lies within copying: what did not hide. */
        public long exposedNs() {
            return Math.min(copyNs, stallNs);
        }

        /** The part of the copying that nobody waited for. */
        public long hiddenNs() {
            return copyNs - exposedNs();
        }
    }

    private final SeriesHistory series = new SeriesHistory(SERIES, SAMPLES);
    private final Deque<Moment> moments = new ArrayDeque<>();
    private final Deque<Step> steps = new ArrayDeque<>();
    private Optional<SwapCounters> before = Optional.empty();
    private long lastStepEndNs = -1;

    /** Takes in one sample's counters of one device, with the sample's events of that device. */
    public void add(Sample sample, MemoryCounters counters) {
        SwapCounters now = counters.swap();
        long[] value = {now.swappedOutBytes(), now.swappedInBytes(), now.copyNs(), now.stallNs()};
        long sinceNs = series.isEmpty() ? sample.monotonicNs() : series.latestNs();
        if (!series.append(sample.monotonicNs(), value, value, value)) {
            return;
        }
        before.ifPresent(then -> note(sample.monotonicNs(), then, now));
        endSteps(sample.events(), counters.device(), sinceNs);
        before = Optional.of(now);
    }

    /** Forgets everything: another process or device follows. */
    public void clear() {
        series.clear();
        moments.clear();
        steps.clear();
        before = Optional.empty();
        lastStepEndNs = -1;
    }

    /** The time that is kept; empty before the first sample. */
    public Optional<TimeRange> extent() {
        return series.isEmpty()
                ? Optional.empty()
                : Optional.of(new TimeRange(series.firstNs() - 1, series.latestNs()));
    }

    /** Bytes that arrived on the host within a stretch. */
    public double outBytes(long fromNs, long toNs) {
        return grown(OUT, fromNs, toNs);
    }

    /** Bytes that came back within a stretch. */
    public double inBytes(long fromNs, long toNs) {
        return grown(IN, fromNs, toNs);
    }

    /** What was waited within a stretch, nanoseconds. */
    public double stallNs(long fromNs, long toNs) {
        return grown(STALL, fromNs, toNs);
    }

    /** Rate at which bytes moved while they moved, over what is kept, bytes a second; empty where nothing was copied. */
    public OptionalDouble measuredRate() {
        if (series.isEmpty()) {
            return OptionalDouble.empty();
        }
        long copied = grownInAll(OUT) + grownInAll(IN);
        long ns = grownInAll(COPY);
        if (ns > 0 && copied > 0) {
            return OptionalDouble.of(copied * 1e9 / ns);
        }
        // Nothing moved since reading began: what moved before tells the rate too.
        return before.filter(now -> now.copyNs() > 0 && now.swappedOutBytes() + now.swappedInBytes() > 0)
                .map(now ->
                        OptionalDouble.of((double) (now.swappedOutBytes() + now.swappedInBytes()) * 1e9 / now.copyNs()))
                .orElse(OptionalDouble.empty());
    }

    /** Marked moments within a stretch, oldest first. */
    public List<Moment> moments(TimeRange range) {
        return moments.stream().filter(m -> range.contains(m.timeNs())).toList();
    }

    /** At most so many of the newest whole steps, oldest first. */
    public List<Step> newestSteps(int count) {
        List<Step> all = new ArrayList<>(steps);
        return List.copyOf(all.subList(Math.max(0, all.size() - count), all.size()));
    }

    private void note(long timeNs, SwapCounters then, SwapCounters now) {
        noteGrowth(timeNs, Kind.RESCUE, now.rescues() - then.rescues());
        noteGrowth(timeNs, Kind.REFUSAL, now.hostRefusals() - then.hostRefusals());
        noteGrowth(timeNs, Kind.FAILURE, now.copyFailures() - then.copyFailures());
        if (now.mode() != then.mode()) {
            keep(new Moment(timeNs, Kind.MODE, now.mode().ordinal()));
        }
        if (now.hostBudgetBytes() != then.hostBudgetBytes()) {
            keep(new Moment(timeNs, Kind.BUDGET, now.hostBudgetBytes()));
        }
    }

    private void noteGrowth(long timeNs, Kind kind, long more) {
        if (more > 0) {
            keep(new Moment(timeNs, kind, more));
        }
    }

    private void keep(Moment moment) {
        if (moments.size() == MAX_MOMENTS) {
            moments.removeFirst();
        }
        moments.addLast(moment);
    }

    private void endSteps(MemoryEvents events, int device, long sinceNs) {
        for (int row = 0; row < events.size(); row++) {
            if (events.kindCode(row) == STEP_EVENT && events.device(row) == device) {
                endStep(events.sizeOf(row), events.timeNs(row), sinceNs);
            }
        }
    }

    /** The first sample may bring a long past of events, of which the counters say nothing: its steps are left out. */
    private void endStep(long number, long endNs, long sinceNs) {
        long beginNs = lastStepEndNs;
        lastStepEndNs = endNs;
        if (beginNs < 0 || series.size() < 2 || beginNs < series.firstNs() || endNs <= beginNs) {
            return;
        }
        if (steps.size() == STEPS) {
            steps.removeFirst();
        }
        steps.addLast(new Step(
                number,
                endNs - beginNs,
                Math.round(grown(COPY, beginNs, endNs)),
                Math.round(grown(STALL, beginNs, endNs)),
                count(Kind.RESCUE, beginNs, endNs, sinceNs),
                count(Kind.REFUSAL, beginNs, endNs, sinceNs) + count(Kind.FAILURE, beginNs, endNs, sinceNs)));
    }

    /** Moments are seen at samples: those of the newest one belong to the first step that ended since the sample before. */
    private long count(Kind kind, long beginNs, long endNs, long sinceNs) {
        long upTo = beginNs <= sinceNs ? Long.MAX_VALUE : endNs;
        return moments.stream()
                .filter(m -> m.kind() == kind && m.timeNs() > beginNs && m.timeNs() <= upTo)
                .mapToLong(Moment::value)
                .sum();
    }

    private long grownInAll(int which) {
        return series.value(which, series.endIndex() - 1) - series.value(which, series.firstIndex());
    }

    private double grown(int which, long fromNs, long toNs) {
        return series.isEmpty() ? 0 : Math.max(0, at(which, toNs) - at(which, fromNs));
    }

    private double at(int which, long timeNs) {
        long after = series.indexAtOrAfter(timeNs);
        if (after <= series.firstIndex()) {
            return series.value(which, series.firstIndex());
        }
        if (after >= series.endIndex()) {
            return series.value(which, series.endIndex() - 1);
        }
        long from = series.timeNs(after - 1);
        double share = (double) (timeNs - from) / (series.timeNs(after) - from);
        long low = series.value(which, after - 1);
        return low + share * (series.value(which, after) - low);
    }

    /** The mode that a {@link Kind#MODE} moment tells. */
    static SwapMode modeOf(Moment moment) {
        return SwapMode.values()[(int) moment.value()];
    }
}
