package dev.lacuna.core.allocator.expandable;

import static dev.lacuna.core.allocator.block.BlockTable.NONE;

import dev.lacuna.core.allocator.block.BlockTable;
import dev.lacuna.core.allocator.block.RequestSize;
import dev.lacuna.core.allocator.caching.CachingOptions;
import dev.lacuna.core.allocator.caching.StockPools;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.MappingListener;
import dev.lacuna.core.allocator.model.Pool;

/** The ranges of both pools, small and large, of one device. */
final class GrowingRanges {
    private final Device device;
    private final BlockTable blocks;
    private final ExpandablePool small;
    private final ExpandablePool large;

    /** @param first number of the first range */
    GrowingRanges(Device device, BlockTable blocks, int first, MappingListener listener) {
        this.device = device;
        this.blocks = blocks;
        AddressSpace addresses = new AddressSpace(device.totalBytes(), first);
        small = new ExpandablePool(StockPools.SMALL, blocks, device, addresses, listener);
        large = new ExpandablePool(StockPools.LARGE, blocks, device, addresses, listener);
    }

    /** A block from what is mapped, or NONE. */
    int reuse(long rounded, int stream) {
        return pool(rounded).reuse(rounded, stream);
    }

    /** What would be reused; see {@link ExpandablePool#fitting}. */
    int fitting(long rounded, int stream, int fixed) {
        return pool(rounded).fitting(rounded, stream, fixed);
    }

    /** Hands this free block out. */
    int serve(int b, long rounded) {
        return poolOf(b).serve(b, rounded);
    }

    /** A block in memory mapped for it, or NONE. The cap is compared with what a native segment would take, whatever is mapped then. */
    int grow(long rounded, int stream, CachingOptions options) {
        boolean capped = device.limitBytes() < device.totalBytes();
        if (capped && options.segmentBytes(rounded) > device.limitBytes() - device.reservedBytes()) {
            return NONE;
        }
        return pool(rounded).grow(rounded, stream);
    }

    void release(int b) {
        poolOf(b).release(b);
    }

    /** Unmaps whole free pages, large ones first, until no more than {@code goal} bytes are reserved. */
    void releaseCached(long goal) {
        large.releaseCached(goal);
        small.releaseCached(goal);
    }

    long releasableBytes() {
        return small.releasableBytes() + large.releasableBytes();
    }

    int segments() {
        return small.segments() + large.segments();
    }

    long reservedBytes(Pool pool) {
        return (pool.equals(StockPools.SMALL) ? small : large).reservedBytes();
    }

    private ExpandablePool pool(long rounded) {
        return RequestSize.small(rounded) ? small : large;
    }

    private ExpandablePool poolOf(int b) {
        return blocks.pool(b) == StockPools.SMALL.number() ? small : large;
    }
}
