package dev.lacuna.core.history.build;

import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.history.model.Lives;
import dev.lacuna.core.history.model.SegmentSet;
import dev.lacuna.core.history.model.SegmentState;
import dev.lacuna.core.history.model.SegmentState.Segment;
import dev.lacuna.core.trace.snapshot.model.PoolId;
import dev.lacuna.core.trace.snapshot.model.SnapshotEvents;
import dev.lacuna.core.trace.snapshot.model.SnapshotSegments;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Finds the segments that a device held when the recording began: those at its end, with the trace taken back. Where the file
 * was cut and some are missing, the blocks of the trace tell that there must have been memory behind them.
 */
public final class OpeningSegments {
    /** The device hands memory out in pieces of this: PyTorch's kSmallBuffer, and a huge page. */
    private static final long PAGE_BYTES = 2L << 20;

    private static final long SMALL_BYTES = 1L << 20;

    private final SegmentSet segments = new SegmentSet(SegmentState.EMPTY);
    private int contradictions;
    private int guessed;

    /** Begins with the segments at the end. */
    public OpeningSegments(SnapshotSegments last) {
        for (int i = 0; i < last.size(); i++) {
            Segment segment = new Segment(
                    last.address(i),
                    last.bytes(i),
                    last.stream(i),
                    last.pool(i),
                    last.large(i),
                    last.expandable(i),
                    last.stack(i));
            contradictions += segments.add(segment) || last.bytes(i) == 0 ? 0 : 1;
        }
    }

    /** Takes the whole trace back. */
    public void undo(SnapshotEvents events) {
        for (int i = events.size() - 1; i >= 0; i--) {
            EventKind action = events.action(i);
            if (action.aboutSegment()) {
                contradictions += segments.undo(action, piece(events, i)) ? 0 : 1;
            }
        }
    }

    /** Adds segments for blocks that would lie in none. */
    public void guess(SnapshotEvents events, Lives lives) {
        NavigableMap<Long, Segment> pages = new TreeMap<>(Long::compareUnsigned);
        for (Lives.Opening block : lives.opening) {
            cover(pages, segments, block.address(), block.requested(), block.stream());
        }
        SegmentSet now = new SegmentSet(segments.state());
        for (int i = 0; i < events.size(); i++) {
            EventKind action = events.action(i);
            if (action.aboutSegment()) {
                now.apply(action, piece(events, i));
            } else if (action == EventKind.ALLOC) {
                cover(pages, now, events.address(i), events.bytes(i), events.stream(i));
            }
        }
        for (Segment page : pages.values()) {
            guessed += segments.add(page) ? 1 : 0;
        }
    }

    public SegmentState state() {
        return segments.state();
    }

    public int contradictions() {
        return contradictions;
    }

    public int guessed() {
        return guessed;
    }

    public static Segment piece(SnapshotEvents events, int i) {
        return SegmentSet.piece(
                events.action(i),
                events.address(i),
                events.bytes(i),
                events.stream(i),
                events.pool(i),
                events.stack(i));
    }

    /** Sees to it that whole pages lie behind a block, joined with the pages that it touches. */
    private static void cover(
            NavigableMap<Long, Segment> pages, SegmentSet known, long address, long bytes, long stream) {
        if (known.containing(address).isPresent() || bytes < 0 || bytes > 1L << 50) {
            return;
        }
        long from = address & -PAGE_BYTES;
        long to = (address + Math.max(1, bytes) + PAGE_BYTES - 1) & -PAGE_BYTES;
        Map.Entry<Long, Segment> below = pages.floorEntry(from);
        boolean large = bytes > SMALL_BYTES;
        if (below != null && Long.compareUnsigned(below.getValue().end(), from) >= 0) {
            if (Long.compareUnsigned(below.getValue().end(), to) >= 0) {
                return;
            }
            from = below.getKey();
            large |= below.getValue().large();
        }
        for (Map.Entry<Long, Segment> above = pages.ceilingEntry(from);
                above != null && Long.compareUnsigned(above.getKey(), to) <= 0;
                above = pages.ceilingEntry(from)) {
            to = Long.compareUnsigned(above.getValue().end(), to) > 0
                    ? above.getValue().end()
                    : to;
            large |= above.getValue().large();
            pages.remove(above.getKey());
        }
        pages.put(from, new Segment(from, to - from, stream, PoolId.DEFAULT, large, false, 0));
    }
}
