package dev.lacuna.core.allocator.expandable;

import static dev.lacuna.core.allocator.block.BlockTable.NONE;

import dev.lacuna.core.allocator.block.BlockTable;
import dev.lacuna.core.allocator.block.RequestSize;
import dev.lacuna.core.allocator.caching.CachingOptions;
import dev.lacuna.core.allocator.caching.StockPools;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.MappingListener;
import dev.lacuna.core.allocator.model.ModelAllocator;
import dev.lacuna.core.allocator.model.Placement;
import dev.lacuna.core.allocator.model.Pool;

/**
 * PyTorch's caching allocator with {@code expandable_segments:True}: virtual ranges that grow page by page, so that free
 * memory joins across what would have been segments. Published as {@code c10/cuda/CUDACachingAllocator.cpp}; specified in
 * docs/allocator.md.
 *
 * <p>A segment in {@link Placement} is a virtual range, numbered in order of creation; {@code segments} of the counters are
 * contiguous mapped pieces. Private pools, and {@code max_split_size} and garbage collection, which expandable segments
 * ignore, are no part of it.
 */
public final class ExpandableSegmentsAllocator extends ModelAllocator {
    /** The policy's name. */
    public static final String NAME = "expandable";

    private final CachingOptions options;
    private final ExpandablePool small;
    private final ExpandablePool large;

    /** PyTorch as it comes but for expandable segments, on a device of its own. */
    public ExpandableSegmentsAllocator(Device device) {
        this(device, CachingOptions.PYTORCH, MappingListener.NONE);
    }

    /** The same with another rounding of requests, watched: of the options, rounding, padding and fraction are heeded. */
    public ExpandableSegmentsAllocator(Device device, CachingOptions options, MappingListener listener) {
        this(device, options, listener, new BlockTable());
    }

    private ExpandableSegmentsAllocator(
            Device device, CachingOptions options, MappingListener listener, BlockTable blocks) {
        super(device, blocks, StockPools.ALL);
        this.options = options;
        options.fraction().ifPresent(device::fraction);
        AddressSpace addresses = new AddressSpace(device.totalBytes());
        small = new ExpandablePool(StockPools.SMALL, blocks, device, addresses, listener);
        large = new ExpandablePool(StockPools.LARGE, blocks, device, addresses, listener);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    protected long rounded(long bytes) {
        return options.rounded(bytes);
    }

    @Override
    protected boolean waitsForStreams() {
        return true;
    }

    @Override
    protected boolean reachesCapAtOnce() {
        return false;
    }

    @Override
    protected int place(long rounded, int stream) {
        ExpandablePool pool = RequestSize.small(rounded) ? small : large;
        int block = pool.reuse(rounded, stream);
        if (block == NONE) {
            block = grow(pool, rounded, stream);
        }
        if (block == NONE) {
            flush(this::emptyCache);
            block = grow(pool, rounded, stream);
        }
        return block;
    }

    /** The cap is compared with what a native segment would take, whatever is mapped then. */
    private int grow(ExpandablePool pool, long rounded, int stream) {
        Device device = device();
        boolean capped = device.limitBytes() < device.totalBytes();
        if (capped && options.segmentBytes(rounded) > device.limitBytes() - device.reservedBytes()) {
            return NONE;
        }
        return pool.grow(rounded, stream);
    }

    @Override
    protected void release(int block) {
        (blocks().pool(block) == StockPools.SMALL.number() ? small : large).release(block);
    }

    @Override
    protected void releaseCached(long goal) {
        large.releaseCached(goal);
        small.releaseCached(goal);
    }

    @Override
    protected long releasableBytes() {
        return small.releasableBytes() + large.releasableBytes();
    }

    @Override
    protected long segments() {
        return small.segments() + large.segments();
    }

    @Override
    protected long pieces() {
        return segments();
    }

    @Override
    protected long reservedBytes(Pool pool) {
        return (pool.equals(StockPools.SMALL) ? small : large).reservedBytes();
    }

    @Override
    protected long placementOffset(int block) {
        return blocks().offset(block) - blocks().start(block);
    }
}
