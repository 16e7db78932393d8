package dev.lacuna.core.allocator.mindspeed;

import static dev.lacuna.core.allocator.block.BlockTable.NONE;

import dev.lacuna.core.allocator.block.BlockTable;
import dev.lacuna.core.allocator.lifetime.Lifetime;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.Pool;
import java.util.List;
import java.util.function.ToLongFunction;

/** MindSpeed's four pools on one device, and the segments that they hold of it. */
final class LifetimePools {
    private final BlockTable blocks;
    private final Device device;
    private final SegmentSupply supply;
    private final List<LifetimePool> pools;
    private int segmentsCreated;
    private long segments;

    /** Where the next segment lies: no address is used twice, so that equal free blocks are taken oldest segment first. */
    private long nextAddress;

    LifetimePools(BlockTable blocks, Device device, SegmentSupply supply) {
        this.blocks = blocks;
        this.device = device;
        this.supply = supply;
        this.pools = List.of(
                new LifetimePool(true, Lifetime.SHORT, blocks),
                new LifetimePool(true, Lifetime.LONG, blocks),
                new LifetimePool(false, Lifetime.SHORT, blocks),
                new LifetimePool(false, Lifetime.LONG, blocks));
    }

    LifetimePool pool(boolean small, Lifetime lifetime) {
        return pools.get((small ? 0 : 2) + lifetime.ordinal());
    }

    /** A block at the start of a new segment, or NONE when the device gives none or seems not to. */
    int open(LifetimePool pool, long rounded, int stream) {
        long bytes = pool.segmentBytes(rounded);
        return supply.take(bytes) ? opened(pool, bytes, rounded, stream) : NONE;
    }

    /** The same when all that could be given back has been: the device is asked in any case. */
    int openAtLast(LifetimePool pool, long rounded, int stream) {
        long bytes = pool.segmentBytes(rounded);
        return supply.insist(bytes) ? opened(pool, bytes, rounded, stream) : NONE;
    }

    void release(int block) {
        pools.get(blocks.pool(block)).release(block);
    }

    /** Gives every wholly free segment back to the device. */
    void releaseCached() {
        for (LifetimePool pool : pools) {
            device.giveBack(pool.releaseCached());
        }
        segments = sum(LifetimePool::segments);
    }

    long releasableBytes() {
        return sum(LifetimePool::releasableBytes);
    }

    long segments() {
        return segments;
    }

    long splitBlocks() {
        return sum(LifetimePool::splitBlocks);
    }

    /** Bytes that the pool of this name holds. */
    long reservedBytes(Pool name) {
        return pools.get(name.number()).reservedBytes();
    }

    long offsetInSegment(int block) {
        return blocks.offset(block) - blocks.start(block);
    }

    private int opened(LifetimePool pool, long bytes, long rounded, int stream) {
        int block = blocks.create(pool.name().number(), segmentsCreated++, stream, nextAddress, bytes);
        nextAddress += bytes;
        segments++;
        pool.open(block, rounded);
        return block;
    }

    private long sum(ToLongFunction<LifetimePool> figure) {
        return pools.stream().mapToLong(figure).sum();
    }
}
