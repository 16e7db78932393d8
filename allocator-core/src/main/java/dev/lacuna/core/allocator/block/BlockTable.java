package dev.lacuna.core.allocator.block;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Every block, live, pending or free, of every pool of one allocator, in columns; a block is named by its row. Blocks
 * that lie side by side in one segment (or one virtual range) are linked in order of their addresses.
 *
 * <p>Invariants: row 0 is no block ({@link #NONE}); neighbours of one chain touch: offset(b) + size(b) = offset(upper(b)).
 * Of two blocks that become one, the lower keeps its row.
 */
public final class BlockTable {
    /** No block. */
    public static final int NONE = 0;

    private static final byte FREE = 1;
    private static final byte LIVE = 2;
    private static final byte PENDING = 3;
    private static final byte UNMAPPED = 4;

    private int rows = 1;
    private int firstUnused = NONE;
    private long[] offsets = new long[256];
    private long[] starts = new long[256];
    private long[] sizes = new long[256];
    private long[] requests = new long[256];
    private int[] lowers = new int[256];
    private int[] uppers = new int[256];
    private int[] streams = new int[256];
    private int[] users = new int[256];
    private int[] segments = new int[256];
    private byte[] pools = new byte[256];
    private byte[] states = new byte[256];

    /** A free block without neighbours. */
    public int create(int pool, int segment, int stream, long offset, long size) {
        int b = unusedRow();
        pools[b] = (byte) pool;
        segments[b] = segment;
        streams[b] = stream;
        offsets[b] = offset;
        starts[b] = offset;
        sizes[b] = size;
        lowers[b] = NONE;
        uppers[b] = NONE;
        states[b] = FREE;
        return b;
    }

    /** Removes a block that has no neighbours. */
    public void remove(int b) {
        uppers[b] = firstUnused;
        firstUnused = b;
        states[b] = 0;
    }

    /** Cuts a block: {@code b} keeps the lowest {@code size} bytes, the rest is the free block returned. */
    public int cut(int b, long size) {
        int rest = create(pools[b], segments[b], streams[b], offsets[b] + size, sizes[b] - size);
        starts[rest] = starts[b];
        sizes[b] = size;
        lowers[rest] = b;
        uppers[rest] = uppers[b];
        if (uppers[b] != NONE) {
            lowers[uppers[b]] = rest;
        }
        uppers[b] = rest;
        return rest;
    }

    /** Joins a block with its upper neighbour, whose row is given up. */
    public void joinUpper(int b) {
        int gone = uppers[b];
        sizes[b] += sizes[gone];
        uppers[b] = uppers[gone];
        if (uppers[b] != NONE) {
            lowers[uppers[b]] = b;
        }
        remove(gone);
    }

    /** Removes a block whose memory is gone: what lies below it and above it are no neighbours of each other. */
    public void sever(int b) {
        if (lowers[b] != NONE) {
            uppers[lowers[b]] = NONE;
        }
        if (uppers[b] != NONE) {
            lowers[uppers[b]] = NONE;
        }
        remove(b);
    }

    /** From this block on, which has no neighbour below, a chain is a segment of this number. */
    public void begin(int lowest, int segment) {
        for (int b = lowest; b != NONE; b = uppers[b]) {
            starts[b] = offsets[lowest];
            segments[b] = segment;
        }
    }

    /** The free blocks of a pool, by offset; looks at every row. */
    public List<Integer> free(int pool) {
        return IntStream.range(1, rows)
                .filter(b -> states[b] == FREE && pools[b] == pool)
                .boxed()
                .sorted(Comparator.comparingLong(this::offset))
                .toList();
    }

    /** Offset in the pool's virtual range, or the address where a driver gave one. */
    public long offset(int b) {
        return offsets[b];
    }

    /** Where the block's chain starts: offset of its segment, 0 in ranges. */
    public long start(int b) {
        return starts[b];
    }

    public long size(int b) {
        return sizes[b];
    }

    /** Where the block ends in the pool's virtual range. */
    public long end(int b) {
        return offsets[b] + sizes[b];
    }

    /** Bytes that the trainer asked for. */
    public long requested(int b) {
        return requests[b];
    }

    /** The stream whose requests this block may serve; 0 where the pool does not tell streams apart. */
    public int stream(int b) {
        return streams[b];
    }

    /** The stream that asked for this live block. */
    public int user(int b) {
        return users[b];
    }

    public int segment(int b) {
        return segments[b];
    }

    /** Wire code of the pool. */
    public int pool(int b) {
        return pools[b];
    }

    /** The neighbour below, {@link #NONE} at the start. */
    public int lower(int b) {
        return lowers[b];
    }

    /** The neighbour above, {@link #NONE} at the end. */
    public int upper(int b) {
        return uppers[b];
    }

    /** Whether memory lies next to it; addresses without memory are no neighbour. */
    public boolean hasNeighbour(int b) {
        return isMapped(lowers[b]) || isMapped(uppers[b]);
    }

    /** Whether this is a block that holds memory; no block does not. */
    public boolean isMapped(int b) {
        return b != NONE && states[b] != UNMAPPED;
    }

    /** Whether this row stands for addresses without memory. */
    public boolean isUnmapped(int b) {
        return states[b] == UNMAPPED;
    }

    public void markUnmapped(int b) {
        states[b] = UNMAPPED;
    }

    /** Moves a block to another pool. */
    public void pool(int b, int pool) {
        pools[b] = (byte) pool;
    }

    /** Free, and holding memory. */
    public boolean isFree(int b) {
        return states[b] == FREE;
    }

    public void markFree(int b) {
        states[b] = FREE;
    }

    public void markPending(int b) {
        states[b] = PENDING;
    }

    /** The block serves a request of this many bytes by this stream. */
    public void handOut(int b, long bytes, int user) {
        states[b] = LIVE;
        requests[b] = bytes;
        users[b] = user;
    }

    /** How many free blocks have a neighbour; looks at every row. */
    public int freeWithNeighbour() {
        int count = 0;
        for (int b = 1; b < rows; b++) {
            count += states[b] == FREE && hasNeighbour(b) ? 1 : 0;
        }
        return count;
    }

    /** Number of rows in use or used before: every block's row is smaller. */
    int rows() {
        return rows;
    }

    private int unusedRow() {
        if (firstUnused != NONE) {
            int b = firstUnused;
            firstUnused = uppers[b];
            return b;
        }
        if (rows == sizes.length) {
            grow(rows * 2);
        }
        return rows++;
    }

    private void grow(int length) {
        offsets = Arrays.copyOf(offsets, length);
        starts = Arrays.copyOf(starts, length);
        sizes = Arrays.copyOf(sizes, length);
        requests = Arrays.copyOf(requests, length);
        lowers = Arrays.copyOf(lowers, length);
        uppers = Arrays.copyOf(uppers, length);
        streams = Arrays.copyOf(streams, length);
        users = Arrays.copyOf(users, length);
        segments = Arrays.copyOf(segments, length);
        pools = Arrays.copyOf(pools, length);
        states = Arrays.copyOf(states, length);
    }
}
