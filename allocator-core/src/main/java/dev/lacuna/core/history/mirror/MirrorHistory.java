package dev.lacuna.core.history.mirror;

import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.event.MemoryEvents;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * A {@link BlockMirror} that also knows how things stood before: it keeps the events that it was told, and now and then a copy of the
 * mirror to begin from. Its room is bounded; the oldest is forgotten first. Not safe for several threads.
 */
public final class MirrorHistory {
    /** Room for events and copies: some minutes of a training that allocates thousands of times a second, hours of a quiet one. */
    static final long MOST_BYTES = 96L << 20;

    /** What an event takes in the columns of a batch. */
    private static final int EVENT_BYTES = 31;

    private static final int BATCH_BYTES = 160;
    private static final int ENTRY_BYTES = 96;

    /** A copy every so many events, and no more often than its size is worth. */
    private static final int FEWEST_EVENTS = 20_000;

    private static final int EVENTS_AN_ENTRY = 4;

    private record Batch(long atNs, long lost, MemoryEvents events, long allocated, long reserved) {}

    /** A copy of the mirror and all that happened from it up to the next one. */
    private static final class Stretch {
        private final BlockMirror start;
        private final long fromNs;
        private final List<Batch> batches = new ArrayList<>();
        private long events;

        Stretch(BlockMirror mirror, long fromNs) {
            this.start = new BlockMirror(mirror);
            this.fromNs = fromNs;
        }

        long bytes() {
            return (long) start.size() * ENTRY_BYTES + (long) batches.size() * BATCH_BYTES + events * EVENT_BYTES;
        }

        boolean isLongEnough() {
            return events >= Math.max(FEWEST_EVENTS, (long) EVENTS_AN_ENTRY * start.size());
        }
    }

    private final BlockMirror mirror;
    private final long mostBytes;
    private final Deque<Stretch> stretches = new ArrayDeque<>();

    /** @param device its number among the process's devices */
    public MirrorHistory(int device) {
        this(device, MOST_BYTES);
    }

    MirrorHistory(int device, long mostBytes) {
        this.mirror = new BlockMirror(device);
        this.mostBytes = mostBytes;
    }

    /** Takes in what a reader saw of the process, like {@link BlockMirror#add}. */
    public void add(long atNs, long lost, MemoryEvents events, List<MemoryCounters> counters) {
        if (stretches.isEmpty() || stretches.getLast().isLongEnough()) {
            // What the first batch tells may lie long before the moment at which it was read.
            long from = stretches.isEmpty() && events.size() > 0 ? events.timeNs(0) : atNs;
            long before = stretches.isEmpty() ? from : mirror.timeNs();
            stretches.addLast(new Stretch(mirror, Math.min(before, from)));
        }
        mirror.add(atNs, lost, events, counters);
        Stretch now = stretches.getLast();
        if (events.size() > 0 || now.batches.isEmpty()) {
            now.batches.add(new Batch(atNs, lost, events, mirror.allocatedBytes(), mirror.reservedBytes()));
            now.events += events.size();
        }
        forgetOldest();
    }

    /** What is known now. */
    public LiveBlocks picture() {
        return mirror.picture();
    }

    /** How it was at a moment; empty where that is no longer kept. */
    public Optional<LiveBlocks> at(long momentNs) {
        Iterator<Stretch> newestFirst = stretches.descendingIterator();
        while (newestFirst.hasNext()) {
            Stretch stretch = newestFirst.next();
            if (stretch.fromNs <= momentNs) {
                return Optional.of(replay(stretch, momentNs));
            }
        }
        return Optional.empty();
    }

    private static LiveBlocks replay(Stretch stretch, long momentNs) {
        BlockMirror then = new BlockMirror(stretch.start);
        for (Batch batch : stretch.batches) {
            boolean begun = batch.atNs <= momentNs || batch.events.size() > 0 && batch.events.timeNs(0) <= momentNs;
            if (!begun) {
                break;
            }
            then.follow(batch.atNs, batch.lost, batch.events, momentNs);
            then.believe(batch.allocated, batch.reserved);
        }
        then.lookAt(momentNs);
        return then.picture();
    }

    private void forgetOldest() {
        long bytes = stretches.stream().mapToLong(Stretch::bytes).sum();
        while (bytes > mostBytes && stretches.size() > 1) {
            bytes -= stretches.removeFirst().bytes();
        }
    }
}
