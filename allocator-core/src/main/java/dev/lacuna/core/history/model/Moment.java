package dev.lacuna.core.history.model;

import dev.lacuna.core.base.counters.GapParts;
import java.util.OptionalInt;

/**
 * What a device's allocator held after so many events: its segments, and in each the blocks and holes that tile it, by
 * address. Immutable, in columns.
 *
 * <p>Totals count every block that holds memory, also one that lies in no known segment (a file that was cut); such a block is no
 * piece of any segment.
 */
public final class Moment {
    /** No allocation: the piece is a hole. */
    public static final int NONE = DeviceHistory.NONE;

    /** What a piece is. */
    public enum State {
        /** A block in the trainer's hands. */
        ACTIVE,
        /** A block that was given back; a stream still uses it. */
        PENDING,
        /** Free. */
        HOLE
    }

    private static final State[] STATES = State.values();

    private final DeviceHistory history;
    private final int event;
    private final HeldBlocks blocks;
    private final SegmentState segments;
    private final int[] firstPiece;
    private final long[] allocated;
    private final long[] active;
    private final long[] requested;
    private final long[] largestHole;
    private final MemoryAtMoment totals;
    private final long[] addresses;
    private final long[] bytes;
    private final byte[] states;
    private final int[] allocations;
    private int pieces;
    private long held;
    private long asked;
    private long pending;

    public Moment(DeviceHistory history, int event, HeldBlocks blocks, SegmentState segments) {
        this.history = history;
        this.event = event;
        this.blocks = blocks;
        this.segments = segments;
        int count = segments.size();
        firstPiece = new int[count + 1];
        allocated = new long[count];
        active = new long[count];
        requested = new long[count];
        largestHole = new long[count];
        int room = 2 * blocks.size() + count;
        addresses = new long[room];
        bytes = new long[room];
        states = new byte[room];
        allocations = new int[room];
        int next = 0;
        for (int s = 0; s < count; s++) {
            next = tile(s, next);
        }
        firstPiece[count] = pieces;
        for (; next < blocks.size(); next++) {
            count(next);
        }
        totals = sum();
    }

    /** A moment made from nothing, in one pass over the allocations: for whoever needs few of them. The segments are those that there were. */
    public static Moment of(DeviceHistory history, int event, SegmentState segments) {
        return new Moment(history, event, HeldBlocks.born(history, 0, history.allocations(), event), segments);
    }

    /** The number of events that had happened. */
    public int event() {
        return event;
    }

    /** The segments: addresses, sizes, pools, streams. An expandable range is one segment per contiguous mapped piece. */
    public SegmentState segments() {
        return segments;
    }

    /** Sums over the whole device. */
    public MemoryAtMoment totals() {
        return totals;
    }

    /** Number of blocks that hold memory. */
    public int blocks() {
        return blocks.size();
    }

    /** The allocation of the i-th block by address. */
    public int block(int i) {
        return blocks.allocation(i);
    }

    // ---------------------------------------------------------------- by segment

    /** Bytes of a segment in the trainer's hands. */
    public long allocatedBytes(int segment) {
        return allocated[segment];
    }

    /** Allocated, plus pending. */
    public long activeBytes(int segment) {
        return active[segment];
    }

    /** Bytes asked for by the blocks in the trainer's hands. */
    public long requestedBytes(int segment) {
        return requested[segment];
    }

    /** Bytes of a segment that are not in the trainer's hands. */
    public long gapBytes(int segment) {
        return segments.totalBytes(segment) - allocated[segment];
    }

    /** Bytes of a segment that could go back to the device: all of it, or its idle pages. */
    public long releasableBytes(int segment) {
        return active[segment] == 0 ? segments.totalBytes(segment) : idlePages(segment);
    }

    /** Bytes of the largest hole of a segment; 0 where it has none. */
    public long largestHoleBytes(int segment) {
        return largestHole[segment];
    }

    /** The first piece of a segment. */
    public int firstPiece(int segment) {
        return firstPiece[segment];
    }

    /** One past the last piece of a segment. */
    public int endPiece(int segment) {
        return firstPiece[segment + 1];
    }

    // ---------------------------------------------------------------- pieces

    /** Number of pieces of all segments. */
    public int pieces() {
        return pieces;
    }

    /** Unsigned address. */
    public long address(int piece) {
        return addresses[piece];
    }

    /** Size in bytes, rounding included. */
    public long bytes(int piece) {
        return bytes[piece];
    }

    public State state(int piece) {
        return STATES[states[piece]];
    }

    /** The allocation that a block belongs to; NONE for holes. */
    public int allocation(int piece) {
        return allocations[piece];
    }

    /** The piece in which the byte at this unsigned address lies; empty where no segment is. */
    public OptionalInt pieceAt(long address) {
        int segment = segments.rowOf(address);
        if (segment == SegmentState.NONE) {
            return OptionalInt.empty();
        }
        int low = firstPiece[segment];
        int high = firstPiece[segment + 1] - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (Long.compareUnsigned(addresses[middle], address) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return OptionalInt.of(low);
    }

    /** The piece of this allocation; empty where it holds no memory now. */
    public OptionalInt pieceOf(int allocation) {
        OptionalInt at = pieceAt(history.addressOf(allocation));
        return at.isPresent() && allocations[at.getAsInt()] == allocation ? at : OptionalInt.empty();
    }

    private MemoryAtMoment sum() {
        long releasable = 0;
        for (int s = 0; s < segments.size(); s++) {
            releasable += releasableBytes(s);
        }
        long reserved = segments.reservedBytes();
        return new MemoryAtMoment(event, reserved, held, asked, GapParts.within(reserved - held, releasable, pending));
    }

    /** Bytes of the pages that could go back though blocks lie beside them. */
    private long idlePages(int s) {
        long pageBytes = Releasable.pageBytes(history, segments, s);
        long idle = 0;
        if (pageBytes != Releasable.NO_PAGES) {
            long start = segments.address(s);
            for (int piece = firstPiece[s]; piece < firstPiece[s + 1]; piece++) {
                idle += allocations[piece] == NONE
                        ? Releasable.wholePages(addresses[piece] - start, bytes[piece], pageBytes)
                        : 0;
            }
        }
        return idle;
    }

    private int tile(int s, int from) {
        firstPiece[s] = pieces;
        long start = segments.address(s);
        long total = segments.totalBytes(s);
        long at = 0;
        int b = from;
        for (; b < blocks.size(); b++) {
            long address = blocks.address(b);
            boolean isBelow = Long.compareUnsigned(address, start) < 0;
            long offset = address - start;
            if (!isBelow && Long.compareUnsigned(offset, total) >= 0) {
                break;
            }
            count(b);
            long end = Math.min(total, offset + blocks.bytes(b));
            if (!isBelow && end > Math.max(at, offset)) {
                hole(s, start + at, offset - at);
                long begin = Math.max(at, offset);
                block(s, start + begin, end - begin, b);
                at = end;
            }
        }
        hole(s, start + at, total - at);
        return b;
    }

    /** Every block counts, wherever it lies. */
    private void count(int b) {
        long size = blocks.bytes(b);
        if (blocks.freedAt(b) >= event) {
            held += size;
            asked += blocks.requested(b);
        } else {
            pending += size;
        }
    }

    private void hole(int s, long address, long size) {
        if (size > 0) {
            piece(address, size, State.HOLE, NONE);
            largestHole[s] = Math.max(largestHole[s], size);
        }
    }

    private void block(int s, long address, long size, int b) {
        boolean held = blocks.freedAt(b) >= event;
        piece(address, size, held ? State.ACTIVE : State.PENDING, blocks.allocation(b));
        active[s] += size;
        allocated[s] += held ? size : 0;
        requested[s] += held ? blocks.requested(b) : 0;
    }

    private void piece(long address, long size, State state, int a) {
        addresses[pieces] = address;
        bytes[pieces] = size;
        states[pieces] = (byte) state.ordinal();
        allocations[pieces++] = a;
    }
}
