package dev.lacuna.core.allocator.caching;

import static dev.lacuna.core.allocator.block.BlockTable.NONE;

import dev.lacuna.core.allocator.block.BlockTable;
import dev.lacuna.core.allocator.block.FreeBlocks;
import dev.lacuna.core.allocator.block.FreeSegments;
import dev.lacuna.core.allocator.block.RequestSize;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.Pool;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * One stock pool: its segments and their free blocks.
 *
 * <p>Invariants: a segment's lowest block keeps its row as long as its memory stays; {@code whole} holds exactly the segments
 * whose only block is free, and releasable is the sum of their sizes.
 */
final class StockPool {
    /** A free rest of a large block must be larger than this: PyTorch's kSmallSize. */
    private static final long LARGE_REST_BYTES = 1L << 20;

    private final Pool name;
    private final BlockTable blocks;
    private final Device device;
    private CachingOptions options;
    private final SegmentAddresses addresses;
    private final FreeBlocks free;
    private final FreeSegments whole = new FreeSegments();

    private boolean splitsFinely;
    private int segments;
    private long reservedBytes;
    private long releasableBytes;

    /** Searches of the free blocks while garbage is collected: the clock by which cached segments age. */
    private long searches;

    StockPool(Pool name, BlockTable blocks, Device device, CachingOptions options, SegmentAddresses addresses) {
        this.name = name;
        this.blocks = blocks;
        this.device = device;
        this.options = options;
        this.addresses = addresses;
        this.free = new FreeBlocks(blocks);
    }

    /** Blocks are split as those of segments that grow are: down to the smallest rest, however large they are. */
    void splitFinely() {
        splitsFinely = true;
    }

    /** Other options from now on; what lies where it lies stays. */
    void options(CachingOptions changed) {
        options = changed;
    }

    /**
     * Best fit among the free blocks of this stream, or NONE. Blocks too large to be split serve only requests that need
     * most of them: where the best one is refused for that, none is looked for further.
     */
    int reuse(long rounded, int stream) {
        int b = fitting(rounded, stream);
        return b == NONE ? NONE : serve(b, rounded);
    }

    /** The free block that would be looked at for a request, or NONE. */
    int fitting(long rounded, int stream) {
        if (collectsGarbage()) {
            searches++;
        }
        return free.firstAtLeast(stream, rounded);
    }

    /** Hands this free block out, unless it would be wasted: then NONE. */
    int serve(int b, long rounded) {
        if (wasted(blocks.size(b), rounded)) {
            return NONE;
        }
        free.remove(b);
        if (!blocks.hasNeighbour(b)) {
            whole.remove(b);
            releasableBytes -= blocks.size(b);
        }
        return hand(b, rounded);
    }

    /** A block at the start of a new segment, or NONE when there is no room for one. */
    int grow(long bytes, long rounded, int stream, int segment) {
        long address = addresses.take(name, bytes, stream);
        if (address < 0) {
            return NONE;
        }
        return hand(add(address, bytes, stream, segment), rounded);
    }

    /** Joins a block that is free again with its free neighbours; returns the row of the whole. */
    int release(int b) {
        int joined = free.release(b);
        if (!blocks.hasNeighbour(joined)) {
            whole.add(joined, searches);
            releasableBytes += blocks.size(joined);
        }
        return joined;
    }

    /** Gives a wholly free segment, named by its only block, back to the device. */
    void giveBack(int b) {
        long bytes = blocks.size(b);
        free.remove(b);
        whole.remove(b);
        segments--;
        releasableBytes -= bytes;
        reservedBytes -= bytes;
        device.giveBack(bytes);
        addresses.giveBack(name, blocks.offset(b), bytes);
        blocks.remove(b);
    }

    /** The same with the whole slots of every other free block: nothing is served from here any more. */
    void leave(IntSupplier numbers) {
        releaseAll();
        blocks.free(name.number()).forEach(b -> giveSlotsBack(b, numbers));
    }

    /**
     * Gives the whole slots of a free block, which has neighbours, back to the device. What is left of its segment below and
     * above them are segments of their own: the lowest keeps the number, another gets a new one.
     */
    void giveSlotsBack(int b, IntSupplier numbers) {
        long from = (blocks.offset(b) + Device.SLOT_BYTES - 1) & -Device.SLOT_BYTES;
        long to = blocks.end(b) & -Device.SLOT_BYTES;
        if (from >= to) {
            return;
        }
        int gone = cutOut(b, from, to);
        int lower = blocks.lower(gone);
        int upper = blocks.upper(gone);
        int number = blocks.segment(gone);
        blocks.sever(gone);
        if (upper != NONE) {
            blocks.begin(upper, lower == NONE ? number : numbers.getAsInt());
        }
        segments += (lower == NONE ? 0 : 1) + (upper == NONE ? 0 : 1) - 1;
        reservedBytes -= to - from;
        device.giveBack(to - from);
        addresses.giveBack(name, from, to - from);
    }

    /** Cuts a free block around these addresses; its ends stay free, what lies between is in no order. */
    private int cutOut(int b, long from, long to) {
        free.remove(b);
        if (to < blocks.end(b)) {
            free.add(blocks.cut(b, to - blocks.offset(b)));
        }
        if (from == blocks.offset(b)) {
            return b;
        }
        int gone = blocks.cut(b, from - blocks.offset(b));
        free.add(b);
        return gone;
    }

    /** Gives wholly free segments back, by offset, until no more than {@code goal} bytes are reserved. */
    void releaseCached(long goal) {
        if (goal == 0) {
            releaseAll();
            return;
        }
        List<Integer> byOffset = new ArrayList<>();
        for (int b = whole.oldest(); b != NONE; b = whole.next(b)) {
            byOffset.add(b);
        }
        byOffset.sort(Comparator.comparingLong(blocks::offset));
        for (int i = 0; i < byOffset.size() && device.reservedBytes() > goal; i++) {
            giveBack(byOffset.get(i));
        }
    }

    /**
     * Gives back segments too large to be split, as few as make room for the request: the smallest that alone is large
     * enough, else the largest ones until together they are. Returns whether so much was given back.
     */
    boolean releaseOversize(long rounded, int stream) {
        long wanted = Math.max(rounded, options.maxSplitBytes());
        int enough = free.firstAtLeast(stream, wanted);
        if (enough != NONE) {
            giveBack(enough);
            return true;
        }
        long released = 0;
        int b = free.last(stream);
        while (b != NONE && released < wanted && blocks.size(b) >= options.maxSplitBytes()) {
            int previous = free.previous(b);
            released += blocks.size(b);
            giveBack(b);
            b = previous;
        }
        return released >= wanted;
    }

    /** Whether cached segments age: the option is set, and so is a cap that it can be a share of. */
    boolean collectsGarbage() {
        return options.garbageCollectionThreshold() > 0 && device.limitBytes() < device.totalBytes();
    }

    /**
     * Gives cached segments back, those first that were not used for longer than the average of them, until {@code goal}
     * bytes were given back or none is left. A round is always finished, so more may go.
     */
    void collectGarbage(long goal) {
        long reclaimed = 0;
        boolean released = true;
        while (reclaimed < goal && released && whole.count() > 0) {
            released = false;
            double average = (double) whole.totalAge(searches) / whole.count();
            int b = whole.oldest();
            while (b != NONE && searches - whole.freeSince(b) >= average) {
                released = true;
                reclaimed += blocks.size(b);
                giveBack(b);
                b = whole.oldest();
            }
        }
    }

    /** Takes over a segment that exists already; its blocks are to be cut from the one returned, which is in no order. */
    int adopt(long address, long bytes, int stream, int segment) {
        addresses.hold(name, address, bytes);
        return add(address, bytes, stream, segment);
    }

    /** Puts a free block of an adopted segment into the order. */
    void adoptFree(int b) {
        blocks.markFree(b);
        free.add(b);
        if (!blocks.hasNeighbour(b)) {
            whole.add(b, searches);
            releasableBytes += blocks.size(b);
        }
    }

    long releasableBytes() {
        return releasableBytes;
    }

    int segments() {
        return segments;
    }

    long reservedBytes() {
        return reservedBytes;
    }

    private boolean wasted(long size, long rounded) {
        return rounded < options.maxSplitBytes()
                ? size >= options.maxSplitBytes()
                : size >= rounded + options.maxNonSplitRoundingBytes();
    }

    private int hand(int b, long rounded) {
        long rest = blocks.size(b) - rounded;
        boolean splits = splitsFinely || name.equals(StockPools.SMALL)
                ? rest >= RequestSize.UNIT_BYTES
                : rest > LARGE_REST_BYTES && rounded < options.maxSplitBytes();
        if (splits) {
            free.add(blocks.cut(b, rounded));
        }
        return b;
    }

    private int add(long address, long bytes, int stream, int segment) {
        device.take(bytes);
        segments++;
        reservedBytes += bytes;
        return blocks.create(name.number(), segment, stream, address, bytes);
    }

    private void releaseAll() {
        while (whole.count() > 0) {
            giveBack(whole.oldest());
        }
    }
}
