package dev.lacuna.core.allocator.expandable;

import static dev.lacuna.core.allocator.block.BlockTable.NONE;

import dev.lacuna.core.allocator.block.BlockTable;
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
    private final GrowingRanges ranges;

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
        ranges = new GrowingRanges(device, blocks, 0, listener);
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
        int block = ranges.reuse(rounded, stream);
        if (block == NONE) {
            block = ranges.grow(rounded, stream, options);
        }
        if (block == NONE) {
            flush(this::emptyCache);
            block = ranges.grow(rounded, stream, options);
        }
        return block;
    }

    @Override
    protected void release(int block) {
        ranges.release(block);
    }

    @Override
    protected void releaseCached(long goal) {
        ranges.releaseCached(goal);
    }

    @Override
    protected long releasableBytes() {
        return ranges.releasableBytes();
    }

    @Override
    protected long segments() {
        return ranges.segments();
    }

    @Override
    protected long pieces() {
        return segments();
    }

    @Override
    protected long reservedBytes(Pool pool) {
        return ranges.reservedBytes(pool);
    }

    @Override
    protected long placementOffset(int block) {
        return blocks().offset(block) - blocks().start(block);
    }
}
