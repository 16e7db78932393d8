package dev.lacuna.core.history.model;

import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.history.model.SegmentState.Segment;
import dev.lacuna.core.trace.snapshot.model.PoolId;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The segments of a device, followed forwards or backwards through its events. What contradicts itself is passed over.
 * Not thread-safe.
 */
public final class SegmentSet {
    /** PyTorch's kSmallBuffer: no segment of a large pool is as small. */
    private static final long SMALL_SEGMENT_BYTES = 2L << 20;

    /** PyTorch's kLargeBuffer: expandable segments of large pools grow by pages of this. */
    private static final long LARGE_PAGE_BYTES = 20L << 20;

    private final NavigableMap<Long, Segment> segments = new TreeMap<>(Long::compareUnsigned);
    private long reservedBytes;

    /** Begins with these segments. */
    public SegmentSet(SegmentState from) {
        for (int i = 0; i < from.size(); i++) {
            add(from.segment(i));
        }
    }

    /** What event i of the device changes; nothing, where it is about no segment. */
    public void apply(DeviceHistory history, int i) {
        EventKind action = history.action(i);
        if (action.aboutSegment()) {
            apply(action, changed(history, i, action));
        }
    }

    /** Takes back what event i of the device changed. */
    public void undo(DeviceHistory history, int i) {
        EventKind action = history.action(i);
        if (action.aboutSegment()) {
            undo(action, changed(history, i, action));
        }
    }

    /** Bytes taken from the device now. */
    public long reservedBytes() {
        return reservedBytes;
    }

    /** Number of segments now. */
    public int size() {
        return segments.size();
    }

    /** The segments as they are now. */
    public SegmentState state() {
        return new SegmentState(segments.values());
    }

    private static Segment changed(DeviceHistory history, int i, EventKind action) {
        Segment reported = piece(
                action,
                history.address(i),
                history.bytes(i),
                history.stream(i),
                history.pool(i),
                Math.max(0, history.stack(i)));
        return history.agentPool(i).map(pool -> reported.ofSize(pool.large())).orElse(reported);
    }

    /** The memory that an event is about, as far as the event tells. */
    public static Segment piece(EventKind action, long address, long bytes, long stream, PoolId pool, int stack) {
        boolean pages = action == EventKind.SEGMENT_MAP || action == EventKind.SEGMENT_UNMAP;
        boolean large = pages ? bytes % LARGE_PAGE_BYTES == 0 : bytes > SMALL_SEGMENT_BYTES;
        return new Segment(address, bytes, stream, pool, large, pages, stack);
    }

    /** Returns whether the event fits what there was. */
    public boolean apply(EventKind action, Segment piece) {
        return switch (action) {
            case GROW -> add(piece);
            case RELEASE -> remove(piece.address());
            case SEGMENT_MAP -> map(piece);
            case SEGMENT_UNMAP -> unmap(piece);
            default -> true;
        };
    }

    public boolean undo(EventKind action, Segment piece) {
        return switch (action) {
            case GROW -> remove(piece.address());
            case RELEASE -> add(piece);
            case SEGMENT_MAP -> unmap(piece);
            case SEGMENT_UNMAP -> map(piece);
            default -> true;
        };
    }

    /** The segment that this address lies in. */
    public Optional<Segment> containing(long address) {
        Map.Entry<Long, Segment> below = segments.floorEntry(address);
        return below == null
                        || Long.compareUnsigned(
                                        address - below.getKey(),
                                        below.getValue().totalBytes())
                                >= 0
                ? Optional.empty()
                : Optional.of(below.getValue());
    }

    /** The lowest segment that these bytes touch. */
    public Optional<Segment> touching(long address, long bytes) {
        Optional<Segment> first = containing(address);
        if (first.isPresent() || bytes <= 0) {
            return first;
        }
        Map.Entry<Long, Segment> next = segments.ceilingEntry(address);
        return next == null || Long.compareUnsigned(next.getKey() - address, bytes) >= 0
                ? Optional.empty()
                : Optional.of(next.getValue());
    }

    /** Adds a segment; refused where it is empty or overlaps another. */
    public boolean add(Segment segment) {
        Map.Entry<Long, Segment> next = segments.ceilingEntry(segment.address());
        boolean overlaps = containing(segment.address()).isPresent()
                || next != null
                        && next.getKey() - segment.address() < segment.totalBytes()
                        && next.getKey() - segment.address() >= 0;
        if (segment.totalBytes() <= 0 || overlaps) {
            return false;
        }
        segments.put(segment.address(), segment);
        reservedBytes += segment.totalBytes();
        return true;
    }

    private boolean remove(long address) {
        Segment removed = segments.remove(address);
        reservedBytes -= removed == null ? 0 : removed.totalBytes();
        return removed != null;
    }

    /** Joins what is mapped with the pieces of the same range beside it. */
    private boolean map(Segment piece) {
        if (!add(piece)) {
            return false;
        }
        Segment joined = piece;
        Map.Entry<Long, Segment> below = segments.lowerEntry(piece.address());
        if (below != null && below.getValue().end() == piece.address() && joins(below.getValue(), piece)) {
            joined = join(below.getValue(), joined, below.getValue().large());
        }
        Segment above = segments.get(piece.end());
        if (above != null && joins(above, piece)) {
            join(joined, above, above.large());
        }
        return true;
    }

    private static boolean joins(Segment held, Segment piece) {
        return held.expandable()
                && held.stream() == piece.stream()
                && held.pool().equals(piece.pool());
    }

    private Segment join(Segment low, Segment high, boolean large) {
        Segment first = low.stack() == 0 ? high : low;
        Segment joined = new Segment(
                low.address(),
                low.totalBytes() + high.totalBytes(),
                low.stream(),
                low.pool(),
                large,
                true,
                first.stack());
        segments.remove(high.address());
        segments.put(low.address(), joined);
        return joined;
    }

    /** Cuts a piece out of the segment around it. */
    private boolean unmap(Segment piece) {
        Optional<Segment> around = containing(piece.address());
        if (around.isEmpty() || piece.totalBytes() <= 0) {
            return false;
        }
        Segment held = around.get();
        long before = piece.address() - held.address();
        long gone = Math.min(piece.totalBytes(), held.totalBytes() - before);
        segments.remove(held.address());
        reservedBytes -= gone;
        part(held, 0, before);
        part(held, before + gone, held.totalBytes() - before - gone);
        return gone == piece.totalBytes();
    }

    private void part(Segment of, long offset, long bytes) {
        if (bytes > 0) {
            long address = of.address() + offset;
            segments.put(
                    address,
                    new Segment(address, bytes, of.stream(), of.pool(), of.large(), of.expandable(), of.stack()));
        }
    }
}
