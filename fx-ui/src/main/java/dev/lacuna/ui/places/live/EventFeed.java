package dev.lacuna.ui.places.live;

import dev.lacuna.bridge.Sample;
import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.base.event.MemoryEvents;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The newest events that matter. Allocations and frees are summed up by
 * sample, the same kind in a row is one line with a count, and routine lines (phases, steps,
 * traffic) never take more than half of the room, so that an out-of-memory is not washed away by the next ten steps.
 */
public final class EventFeed {
    /** Lines kept. */
    public static final int CAPACITY = 200;

    private static final int MAX_ROUTINE = CAPACITY / 2;
    private static final int ALLOC = EventKind.ALLOC.ordinal() + 1;
    private static final int FREE = EventKind.FREE.ordinal() + 1;

    private final Deque<FeedEntry> entries = new ArrayDeque<>();
    private int routine;
    private long lostBefore;
    private long revision;

    /** Takes in the events of one device. */
    public void add(Sample sample, int device) {
        MemoryEvents events = sample.events();
        long newlyLost = sample.lostEvents() - lostBefore;
        if (newlyLost > 0) {
            append(new FeedEntry(sample.monotonicNs(), sample.timeMs(), FeedEntry.Kind.LOST, 1, newlyLost, ""));
        }
        lostBefore = sample.lostEvents();
        long moves = 0;
        long asked = 0;
        for (int row = 0; row < events.size(); row++) {
            if (events.device(row) != device) {
                continue;
            }
            if (events.kindCode(row) == ALLOC) {
                moves++;
                asked += events.sizeOf(row);
            } else if (events.kindCode(row) == FREE) {
                moves++;
            } else {
                append(sample.timeMs() - (sample.monotonicNs() - events.timeNs(row)) / 1_000_000, events, row);
            }
        }
        if (moves > 0) {
            append(new FeedEntry(sample.monotonicNs(), sample.timeMs(), FeedEntry.Kind.TRAFFIC, moves, asked, ""));
        }
    }

    /** Forgets everything: another process or device follows. */
    public void clear() {
        entries.clear();
        routine = 0;
        lostBefore = 0;
        revision++;
    }

    /** The lines, newest first. */
    public List<FeedEntry> newestFirst() {
        List<FeedEntry> lines = new ArrayList<>(entries.size());
        entries.descendingIterator().forEachRemaining(lines::add);
        return lines;
    }

    /** Rises with every change. */
    public long revision() {
        return revision;
    }

    private void append(long ms, MemoryEvents events, int row) {
        long at = events.timeNs(row);
        EventKind kind = EventKind.ofCode(events.kindCode(row)).orElse(EventKind.FREE_COMPLETED);
        long size = events.sizeOf(row);
        String pool = PoolName.ofCode(events.poolCode(row)).map(PoolName::label).orElse("");
        switch (kind) {
            case ALLOC, FREE, FREE_COMPLETED, MAPPED, HELD -> {}
            case GROW -> append(new FeedEntry(at, ms, FeedEntry.Kind.GROW, 1, size, pool));
            case RELEASE -> append(new FeedEntry(at, ms, FeedEntry.Kind.RELEASE, 1, size, pool));
            case REMAP -> append(new FeedEntry(at, ms, FeedEntry.Kind.REMAP, 1, size, pool));
            case PHASE -> append(new FeedEntry(at, ms, phase(size), 1, size / 2, ""));
            case STEP -> append(new FeedEntry(at, ms, FeedEntry.Kind.STEP, 1, size, ""));
            case OOM -> append(new FeedEntry(at, ms, FeedEntry.Kind.OOM, 1, size, pool));
            case RETRY -> append(new FeedEntry(at, ms, FeedEntry.Kind.RETRY, 1, size, pool));
            case OPTIMISATION ->
                append(new FeedEntry(
                        at,
                        ms,
                        size != 0 ? FeedEntry.Kind.OPTIMISATION_ON : FeedEntry.Kind.OPTIMISATION_OFF,
                        1,
                        0,
                        ""));
            case LIMIT -> append(new FeedEntry(at, ms, FeedEntry.Kind.LIMIT, 1, size, ""));
        }
    }

    private static FeedEntry.Kind phase(long size) {
        return size % 2 == 1 ? FeedEntry.Kind.PHASE_BEGIN : FeedEntry.Kind.PHASE_END;
    }

    private void append(FeedEntry entry) {
        revision++;
        FeedEntry last = entries.peekLast();
        if (last != null && last.kind() == entry.kind() && last.pool().equals(entry.pool()) && adds(entry.kind())) {
            entries.removeLast();
            entries.addLast(last.and(entry));
            return;
        }
        entries.addLast(entry);
        routine += entry.kind().routine() ? 1 : 0;
        if (entries.size() > CAPACITY || routine > MAX_ROUTINE) {
            evict();
        }
    }

    private static boolean adds(FeedEntry.Kind kind) {
        return switch (kind) {
            case TRAFFIC, GROW, RELEASE, REMAP, LOST -> true;
            default -> false;
        };
    }

    private void evict() {
        if (routine <= MAX_ROUTINE) {
            FeedEntry oldest = entries.removeFirst();
            routine -= oldest.kind().routine() ? 1 : 0;
            return;
        }
        var oldestFirst = entries.iterator();
        while (oldestFirst.hasNext()) {
            if (oldestFirst.next().kind().routine()) {
                oldestFirst.remove();
                routine--;
                return;
            }
        }
    }
}
