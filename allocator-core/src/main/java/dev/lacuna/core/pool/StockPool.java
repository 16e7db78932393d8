package dev.lacuna.core.pool;

import static dev.lacuna.core.pool.BlockTable.NONE;

import dev.lacuna.core.memory.PoolName;
import java.util.ArrayList;
import java.util.TreeMap;

/**
 * One stock pool: its segments and their free blocks.
 *
 * <p>Invariants: a segment's lowest block keeps its row as long as the segment lives; releasable = bytes of segments
 * whose only block is free.
 */
final class StockPool {
    /** PyTorch's kSmallBuffer. */
    private static final long SMALL_SEGMENT_BYTES = 2L << 20;

    /** PyTorch's kLargeBuffer. */
    private static final long LARGE_SEGMENT_BYTES = 20L << 20;

    /** PyTorch's kMinLargeAlloc: from here on a segment has the size of its first request. */
    private static final long OWN_SEGMENT_FROM_BYTES = 10L << 20;

    /** A free rest of a large block must be larger than this: PyTorch's kSmallSize. */
    private static final long LARGE_REST_BYTES = 1L << 20;

    private final PoolName name;
    private final BlockTable blocks;
    private final Device device;
    private final VirtualRange range;
    private final FreeBlocks free;

    /** Lowest block of each segment, by the segment's offset in the range. */
    private final TreeMap<Long, Integer> segments = new TreeMap<>();

    private long releasableBytes;

    StockPool(PoolName name, BlockTable blocks, Device device) {
        this.name = name;
        this.blocks = blocks;
        this.device = device;
        this.range = new VirtualRange(device.rangeBytes());
        this.free = new FreeBlocks(blocks);
    }

    /** What a miss takes from the device for a request of this rounded size. */
    static long segmentBytes(long rounded) {
        if (RequestSize.small(rounded)) {
            return SMALL_SEGMENT_BYTES;
        }
        if (rounded < OWN_SEGMENT_FROM_BYTES) {
            return LARGE_SEGMENT_BYTES;
        }
        return (rounded + Device.SLOT_BYTES - 1) & -Device.SLOT_BYTES;
    }

    /** Best fit among the free blocks of this stream, or NONE. */
    int reuse(long rounded, int stream) {
        int b = free.firstAtLeast(stream, rounded);
        if (b == NONE) {
            return NONE;
        }
        free.remove(b);
        if (!blocks.hasNeighbour(b)) {
            releasableBytes -= blocks.size(b);
        }
        return hand(b, rounded);
    }

    /** A block at the start of a new segment, or NONE when the virtual range has no run of slots that long. */
    int grow(long bytes, long rounded, int stream, int segment) {
        int slots = Math.toIntExact(bytes / Device.SLOT_BYTES);
        int slot = range.lowestUnmappedRun(slots);
        if (slot < 0) {
            return NONE;
        }
        for (int s = slot; s < slot + slots; s++) {
            range.map(s);
        }
        device.take(bytes);
        long offset = slot * Device.SLOT_BYTES;
        int b = blocks.create(name.ordinal(), segment, stream, offset, bytes);
        segments.put(offset, b);
        return hand(b, rounded);
    }

    /** Joins a block that is free again with its free neighbours; returns the row of the whole. */
    int release(int b) {
        int whole = free.release(b);
        if (!blocks.hasNeighbour(whole)) {
            releasableBytes += blocks.size(whole);
        }
        return whole;
    }

    /** Gives a wholly free segment, named by its only block, back to the device. */
    void giveBack(int b) {
        long bytes = blocks.size(b);
        free.remove(b);
        segments.remove(blocks.offset(b));
        int slot = Math.toIntExact(blocks.offset(b) / Device.SLOT_BYTES);
        for (int s = slot; s < slot + bytes / Device.SLOT_BYTES; s++) {
            range.unmap(s);
        }
        releasableBytes -= bytes;
        device.giveBack(bytes);
        blocks.remove(b);
    }

    /** Gives wholly free segments back, by offset, until no more than {@code goal} bytes are reserved. */
    void releaseCached(long goal) {
        for (int b : new ArrayList<>(segments.values())) {
            if (device.reservedBytes() <= goal) {
                return;
            }
            if (blocks.isFree(b) && !blocks.hasNeighbour(b)) {
                giveBack(b);
            }
        }
    }

    long releasableBytes() {
        return releasableBytes;
    }

    int segments() {
        return segments.size();
    }

    long reservedBytes() {
        return range.mappedBytes();
    }

    /** Offset of the segment that holds this block. */
    long segmentStart(int b) {
        return segments.floorKey(blocks.offset(b));
    }

    private int hand(int b, long rounded) {
        long rest = blocks.size(b) - rounded;
        boolean splits = name == PoolName.STOCK_SMALL ? rest >= RequestSize.UNIT_BYTES : rest > LARGE_REST_BYTES;
        if (splits) {
            free.add(blocks.cut(b, rounded));
        }
        return b;
    }
}
