package dev.lacuna.ui.places.live;

import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.base.counters.MemoryCounters;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Optional;

/**
 * Watches the gap over the last moments. Allocated swings by gigabytes within a step and the gap with it; what matters
 * is how much of it is left when allocated is highest, and a word that comes and goes with each step helps nobody.
 */
public final class GapWatch {
    /** Longer than most steps; a longer step is judged by what was seen of it. */
    private static final long WINDOW_NS = 2_000_000_000L;

    private record Moment(long timeNs, MemoryCounters counters) {}

    private final Deque<Moment> moments = new ArrayDeque<>();

    /** Takes in the counters of a moment on the monotonic clock. */
    public void add(long timeNs, MemoryCounters counters) {
        moments.addLast(new Moment(timeNs, counters));
        while (timeNs - moments.getFirst().timeNs > WINDOW_NS) {
            moments.removeFirst();
        }
    }

    /** Forgets everything: another process or device follows. */
    public void clear() {
        moments.clear();
    }

    /** What is to be said, if the gap was above so many bytes in the last moments. */
    public Optional<GapNotice> notice(long thresholdBytes) {
        Optional<MemoryCounters> widest = most(Comparator.comparingLong(MemoryCounters::gapBytes));
        Optional<MemoryCounters> fullest = most(Comparator.comparingLong(MemoryCounters::allocatedBytes));
        if (widest.isEmpty() || widest.get().gapBytes() <= thresholdBytes) {
            return Optional.empty();
        }
        long atPeak = fullest.orElseThrow().gapBytes();
        boolean warns = atPeak > thresholdBytes;
        MemoryCounters spokenOf = warns ? fullest.get() : widest.get();
        GapNotice.Part part = largest(spokenOf.gap());
        return Optional.of(new GapNotice(
                warns ? GapNotice.Severity.WARNING : GapNotice.Severity.CALM,
                part,
                spokenOf.gapBytes(),
                bytes(spokenOf.gap(), part),
                atPeak,
                thresholdBytes,
                moments.getLast().counters.optimisation()));
    }

    private Optional<MemoryCounters> most(Comparator<MemoryCounters> by) {
        return moments.stream().map(Moment::counters).max(by);
    }

    private static GapNotice.Part largest(GapParts gap) {
        if (gap.splitBytes() >= gap.releasableBytes() && gap.splitBytes() >= gap.pendingBytes()) {
            return GapNotice.Part.SPLIT;
        }
        return gap.releasableBytes() >= gap.pendingBytes() ? GapNotice.Part.RELEASABLE : GapNotice.Part.PENDING;
    }

    private static long bytes(GapParts gap, GapNotice.Part part) {
        return switch (part) {
            case SPLIT -> gap.splitBytes();
            case RELEASABLE -> gap.releasableBytes();
            case PENDING -> gap.pendingBytes();
        };
    }
}
