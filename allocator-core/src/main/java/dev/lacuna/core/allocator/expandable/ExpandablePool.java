package dev.lacuna.core.allocator.expandable;

import static dev.lacuna.core.allocator.block.BlockTable.NONE;

import dev.lacuna.core.allocator.block.BlockTable;
import dev.lacuna.core.allocator.block.FreeBlocks;
import dev.lacuna.core.allocator.block.RequestSize;
import dev.lacuna.core.allocator.block.StreamNumbers;
import dev.lacuna.core.allocator.caching.StockPools;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.MappingListener;
import dev.lacuna.core.allocator.model.Pool;
import java.util.Arrays;

/**
 * One kind of pool, small or large, under expandable segments: per stream virtual ranges of 9/8 of the device, into which
 * whole pages are mapped from the lowest address on that serves, and which keep free memory joined as long as it is mapped.
 *
 * <p>Invariants: neighbours of a range touch, free ones are joined, unmapped ones are joined and consist of whole pages;
 * reserved = bytes of all that is mapped; releasable = bytes of the pages that lie wholly inside free blocks; runs =
 * maximal runs of adjacent mapped blocks.
 */
final class ExpandablePool {
    /** Pages of the small pool: PyTorch's kSmallBuffer. */
    static final long SMALL_PAGE_BYTES = 2L << 20;

    /** Pages of the large pool: PyTorch's kLargeBuffer. */
    static final long LARGE_PAGE_BYTES = 20L << 20;

    private final Pool name;
    private final BlockTable blocks;
    private final Device device;
    private final AddressSpace addresses;
    private final MappingListener listener;
    private final long pageBytes;
    private final FreeBlocks free;
    private final StreamNumbers streams = new StreamNumbers();
    private UnmappedPieces[] unmappedByStream = {};
    private int[] streamsInOrder = {};

    private long releasableBytes;
    private long reservedBytes;
    private int runs;

    ExpandablePool(Pool name, BlockTable blocks, Device device, AddressSpace addresses, MappingListener listener) {
        this.name = name;
        this.blocks = blocks;
        this.device = device;
        this.addresses = addresses;
        this.listener = listener;
        this.pageBytes = name.equals(StockPools.SMALL) ? SMALL_PAGE_BYTES : LARGE_PAGE_BYTES;
        this.free = new FreeBlocks(blocks);
    }

    // ---------------------------------------------------------------- requests

    /**
     * Best fit among this stream's free blocks, or NONE. What counts is how large a block can grow, so larger blocks are
     * looked at for as long as what they can grow to gets smaller.
     */
    int reuse(long rounded, int stream) {
        int best = fitting(rounded, stream, NONE);
        return best == NONE ? NONE : serve(best, rounded);
    }

    /**
     * What would be reused, or NONE.
     *
     * @param fixed the best fit among free blocks that cannot grow, which is looked at in the same order, or NONE
     */
    int fitting(long rounded, int stream, int fixed) {
        int best = sooner(free.firstAtLeast(stream, rounded), fixed);
        while (best != fixed) {
            int next = sooner(free.next(best), fixed);
            if (next == NONE || growableBytes(next) >= growableBytes(best)) {
                return best;
            }
            best = next;
        }
        return best;
    }

    /** Hands this free block out. */
    int serve(int b, long rounded) {
        take(b);
        return hand(b, rounded);
    }

    /** A block in memory mapped for it, or NONE when the device has not enough; what was mapped before that was seen stays. */
    int grow(long rounded, int stream) {
        if (rounded > device.totalBytes()) {
            return NONE;
        }
        int b = lowestRoom(rounded, stream);
        if (blocks.isUnmapped(b)) {
            b = map(b, Math.min(rounded, blocks.size(b)));
        }
        while (b != NONE && blocks.size(b) < rounded) {
            int above = blocks.upper(b);
            b = map(above, Math.min(rounded - blocks.size(b), blocks.size(above)));
        }
        if (b == NONE) {
            return NONE;
        }
        take(b);
        return hand(b, rounded);
    }

    /** Joins a block that is free again with its free neighbours; returns the row of the whole. */
    int release(int b) {
        int lower = blocks.lower(b);
        int upper = blocks.upper(b);
        if (lower != NONE && blocks.isFree(lower)) {
            releasableBytes -= wholePages(lower);
        }
        if (upper != NONE && blocks.isFree(upper)) {
            releasableBytes -= wholePages(upper);
        }
        int whole = free.release(b);
        releasableBytes += wholePages(whole);
        return whole;
    }

    /** Unmaps whole pages inside free blocks, by stream, size and address, until no more than {@code goal} bytes are reserved. */
    void releaseCached(long goal) {
        if (releasableBytes == 0) {
            return;
        }
        for (int stream : streamsInOrder) {
            // Unmapping changes the order of free blocks, so they are gathered first.
            for (int b : freeBlocks(stream)) {
                if (device.reservedBytes() <= goal) {
                    return;
                }
                unmap(b);
            }
        }
    }

    // ---------------------------------------------------------------- answers

    long releasableBytes() {
        return releasableBytes;
    }

    long reservedBytes() {
        return reservedBytes;
    }

    /** Contiguous mapped ranges: what PyTorch's snapshots call segments. */
    int segments() {
        return runs;
    }

    // ---------------------------------------------------------------- finding room

    /** Which comes first in order of size, the fixed one among equals; NONE only where both are. */
    private int sooner(int b, int fixed) {
        return b == NONE || (fixed != NONE && blocks.size(fixed) <= blocks.size(b)) ? fixed : b;
    }

    private long growableBytes(int b) {
        int above = blocks.upper(b);
        return blocks.size(b) + (above != NONE && blocks.isUnmapped(above) ? blocks.size(above) : 0);
    }

    /**
     * The lowest unmapped piece, or the free block in front of it, from which on enough room lies free or unmapped; in a new
     * range when there is none; NONE when there are no addresses for that either.
     */
    private int lowestRoom(long bytes, int stream) {
        UnmappedPieces unmapped = unmapped(stream);
        for (int i = 0; i < unmapped.count(); i++) {
            int b = unmapped.get(i);
            int lower = blocks.lower(b);
            int from = lower != NONE && blocks.isFree(lower) ? lower : b;
            if (roomFrom(from, bytes)) {
                return from;
            }
        }
        if (!addresses.hasRoom()) {
            return NONE;
        }
        int range = addresses.reserve();
        long start = addresses.start(range);
        int b = blocks.create(name.number(), range, stream, start, addresses.rangeBytes(pageBytes));
        blocks.markUnmapped(b);
        unmapped.add(b);
        return b;
    }

    private boolean roomFrom(int from, long bytes) {
        long room = 0;
        for (int b = from;
                room < bytes && b != NONE && (blocks.isFree(b) || blocks.isUnmapped(b));
                b = blocks.upper(b)) {
            room += blocks.size(b);
        }
        return room >= bytes;
    }

    // ---------------------------------------------------------------- mapping

    /**
     * Maps whole pages at the start of an unmapped piece, at least {@code bytes}, and joins them with the free blocks around
     * them; returns the row of the whole, or NONE when the device has not enough.
     */
    private int map(int piece, long bytes) {
        long mapped = (bytes + pageBytes - 1) / pageBytes * pageBytes;
        if (mapped > device.totalBytes() - device.outsideBytes() - device.reservedBytes()) {
            return NONE;
        }
        UnmappedPieces unmapped = unmapped(blocks.stream(piece));
        if (mapped < blocks.size(piece)) {
            int rest = blocks.cut(piece, mapped);
            blocks.markUnmapped(rest);
            unmapped.replace(piece, rest);
        } else {
            unmapped.remove(piece);
        }
        device.take(mapped);
        reservedBytes += mapped;
        blocks.markFree(piece);
        runs += 1 - mappedNeighbours(piece);
        listener.mapped(blocks.segment(piece), blocks.offset(piece) - blocks.start(piece), mapped);
        return release(piece);
    }

    /** Gives the whole pages inside a free block back to the device. */
    private void unmap(int b) {
        long from = (blocks.offset(b) + pageBytes - 1) / pageBytes * pageBytes;
        long to = blocks.end(b) / pageBytes * pageBytes;
        if (from >= to) {
            return;
        }
        take(b);
        int piece = b;
        if (from > blocks.offset(b)) {
            piece = blocks.cut(b, from - blocks.offset(b));
            keep(b);
        }
        if (to < blocks.end(piece)) {
            keep(blocks.cut(piece, to - from));
        }
        runs -= 1 - mappedNeighbours(piece);
        device.giveBack(to - from);
        reservedBytes -= to - from;
        listener.unmapped(blocks.segment(piece), from - blocks.start(piece), to - from);
        joinUnmapped(piece);
    }

    private void joinUnmapped(int piece) {
        UnmappedPieces unmapped = unmapped(blocks.stream(piece));
        blocks.markUnmapped(piece);
        int upper = blocks.upper(piece);
        if (upper != NONE && blocks.isUnmapped(upper)) {
            unmapped.remove(upper);
            blocks.joinUpper(piece);
        }
        int lower = blocks.lower(piece);
        if (lower != NONE && blocks.isUnmapped(lower)) {
            blocks.joinUpper(lower);
        } else {
            unmapped.add(piece);
        }
    }

    private int mappedNeighbours(int b) {
        return (blocks.isMapped(blocks.lower(b)) ? 1 : 0) + (blocks.isMapped(blocks.upper(b)) ? 1 : 0);
    }

    // ---------------------------------------------------------------- free blocks

    private int hand(int b, long rounded) {
        if (blocks.size(b) - rounded >= RequestSize.UNIT_BYTES) {
            keep(blocks.cut(b, rounded));
        }
        return b;
    }

    private void keep(int b) {
        free.add(b);
        releasableBytes += wholePages(b);
    }

    private void take(int b) {
        free.remove(b);
        releasableBytes -= wholePages(b);
    }

    /** Bytes of the pages that lie wholly inside a block. */
    private long wholePages(int b) {
        if (blocks.size(b) < pageBytes) {
            return 0;
        }
        long from = (blocks.offset(b) + pageBytes - 1) / pageBytes;
        long to = blocks.end(b) / pageBytes;
        return Math.max(0, to - from) * pageBytes;
    }

    private int[] freeBlocks(int stream) {
        int[] rows = new int[free.count()];
        int count = 0;
        for (int b = free.firstAtLeast(stream, 0); b != NONE; b = free.next(b)) {
            rows[count++] = b;
        }
        return Arrays.copyOf(rows, count);
    }

    private UnmappedPieces unmapped(int stream) {
        int number = streams.number(stream);
        if (number == unmappedByStream.length) {
            unmappedByStream = Arrays.copyOf(unmappedByStream, number + 1);
            unmappedByStream[number] = new UnmappedPieces(blocks);
            streamsInOrder = Arrays.copyOf(streamsInOrder, number + 1);
            streamsInOrder[number] = stream;
            Arrays.sort(streamsInOrder);
        }
        return unmappedByStream[number];
    }
}
