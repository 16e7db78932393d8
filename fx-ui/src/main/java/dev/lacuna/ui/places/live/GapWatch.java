package dev.lacuna.ui.places.live;

import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.PeakGap;
import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.counters.WholeSteps;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Optional;

/**
 * Watches the gap of the newest whole steps, and what lies free from moment to moment. Allocated swings by gigabytes within a step; what
 * matters is how much more is reserved at most than is allocated at most, and a word that comes and goes with each step helps nobody.
 */
public final class GapWatch {
    /** Longer than most steps; of a longer one, what was seen of it. */
    private static final long RECENT_NS = 2_000_000_000L;

    /** The window of a training that marks no steps. */
    private static final long UNMARKED_NS = 10_000_000_000L;

    private record Moment(long timeNs, MemoryCounters counters) {}

    private final WholeSteps steps;
    private final Deque<Moment> moments = new ArrayDeque<>();

    /** @param steps the newest whole steps, kept by whoever asks here */
    public GapWatch(WholeSteps steps) {
        this.steps = steps;
    }

    /** Takes in the counters of a moment on the monotonic clock. */
    public void add(long timeNs, MemoryCounters counters) {
        moments.addLast(new Moment(timeNs, counters));
        while (timeNs - moments.getFirst().timeNs > UNMARKED_NS) {
            moments.removeFirst();
        }
    }

    /** Forgets everything: another process or device follows. */
    public void clear() {
        moments.clear();
    }

    /** The gap; empty until a whole step has ended. */
    public Optional<WindowGap> gap() {
        if (moments.isEmpty()) {
            return Optional.empty();
        }
        MemoryCounters newest = moments.getLast().counters;
        if (newest.step() > 0 || newest.phases().contains(Phase.STEP)) {
            return steps.window().map(window -> new WindowGap(window.gap(), Optional.of(window)));
        }
        PeakGap seen =
                moments.stream().map(moment -> PeakGap.at(moment.counters)).reduce(PeakGap.NONE, PeakGap::and);
        return Optional.of(new WindowGap(seen, Optional.empty()));
    }

    /** What is to be said, if more than so many bytes were free in the last moments. */
    public Optional<GapNotice> notice(long thresholdBytes) {
        Optional<WindowGap> window = gap();
        Optional<MemoryCounters> widest = most(Comparator.comparingLong(MemoryCounters::gapNowBytes));
        if (window.isEmpty() || widest.isEmpty()) {
            return Optional.empty();
        }
        boolean warns = window.get().gap().bytes() > thresholdBytes;
        if (!warns && widest.get().gapNowBytes() <= thresholdBytes) {
            return Optional.empty();
        }
        MemoryCounters spokenOf = warns
                ? most(Comparator.comparingLong(MemoryCounters::allocatedBytes)).orElseThrow()
                : widest.get();
        return Optional.of(new GapNotice(
                warns ? GapNotice.Severity.WARNING : GapNotice.Severity.CALM,
                largest(spokenOf.gap()),
                window.get(),
                widest.get().gapNowBytes(),
                thresholdBytes,
                moments.getLast().counters.optimisation()));
    }

    private Optional<MemoryCounters> most(Comparator<MemoryCounters> by) {
        long since = moments.isEmpty() ? 0 : moments.getLast().timeNs - RECENT_NS;
        return moments.stream()
                .filter(moment -> moment.timeNs >= since)
                .map(Moment::counters)
                .max(by);
    }

    private static GapNotice.Part largest(GapParts gap) {
        if (gap.splitBytes() >= gap.releasableBytes() && gap.splitBytes() >= gap.pendingBytes()) {
            return GapNotice.Part.SPLIT;
        }
        return gap.releasableBytes() >= gap.pendingBytes() ? GapNotice.Part.RELEASABLE : GapNotice.Part.PENDING;
    }
}
