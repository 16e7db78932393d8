package dev.lacuna.core.allocator.caching;

import static dev.lacuna.core.allocator.block.BlockTable.NONE;

import dev.lacuna.core.allocator.block.BlockTable;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.ModelAllocator;
import dev.lacuna.core.allocator.model.Pool;
import dev.lacuna.core.base.event.HeldSegment;
import dev.lacuna.core.base.event.OpeningMemory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * PyTorch's native caching allocator: segments cached per pool, best fit within a stream, all cached memory released before
 * giving up. Published as {@code c10/cuda/CUDACachingAllocator.cpp}; its options are {@link CachingOptions}.
 */
public class CachingAllocator extends ModelAllocator {
    /** The policy's name. */
    public static final String NAME = "caching";

    private final StockPools stock;
    private CachingOptions options;
    private CachingOptions coming;
    private long untilItComes;

    /** PyTorch as it comes, on a device of its own. */
    public CachingAllocator(Device device) {
        this(device, CachingOptions.PYTORCH);
    }

    /** PyTorch with these options, on a device of its own, whose cap they may set. */
    public CachingAllocator(Device device, CachingOptions options) {
        this(device, options, new LowestAddresses(device.rangeBytes()));
    }

    /** The same with segments where the driver puts them. */
    public CachingAllocator(Device device, CachingOptions options, SegmentAddresses addresses) {
        this(device, options, addresses, new BlockTable());
    }

    private CachingAllocator(Device device, CachingOptions options, SegmentAddresses addresses, BlockTable blocks) {
        super(device, blocks, StockPools.ALL);
        this.options = options;
        options.fraction().ifPresent(device::fraction);
        stock = new StockPools(blocks, device, options, addresses);
    }

    /** The same, whose options are others once it has placed this many requests: a setting that is changed in a process that runs. */
    public CachingAllocator changing(long placed, CachingOptions then) {
        untilItComes = placed;
        coming = then;
        change();
        return this;
    }

    /** The other options hold from now on. */
    protected void changed() {}

    protected final StockPools stock() {
        return stock;
    }

    protected final CachingOptions options() {
        return options;
    }

    @Override
    public String name() {
        return NAME;
    }

    /**
     * Goes on from an allocator that runs already: this segment is held, its live blocks keep their names. To be called
     * before any request.
     *
     * @throws IllegalStateException when a block of one of the names is live
     */
    public void adopt(HeldSegment segment) {
        int[] rows = stock.adopt(segment);
        for (int i = 0; i < rows.length; i++) {
            HeldSegment.HeldBlock block = segment.blocks().get(i);
            if (!block.free()) {
                adopt(block.id().getAsInt(), rows[i], block.requestedBytes(), segment.stream());
            }
        }
        adoptedCached();
    }

    /**
     * {@inheritDoc}
     *
     * <p>Ties go by address, so the segments keep their order; but they lie as low as new ones would.
     */
    @Override
    public boolean adopt(OpeningMemory held) {
        List<HeldSegment> byAddress = held.segments().stream()
                .sorted((a, b) -> Long.compareUnsigned(a.address(), b.address()))
                .toList();
        Map<Boolean, Long> ends = new HashMap<>();
        for (HeldSegment segment : byAddress) {
            long address = ends.getOrDefault(segment.large(), 0L);
            adopt(segment.at(address));
            long slots = (segment.bytes() + Device.SLOT_BYTES - 1) / Device.SLOT_BYTES;
            ends.put(segment.large(), address + slots * Device.SLOT_BYTES);
        }
        return true;
    }

    /** Address of the live block of this id, where {@link SegmentAddresses} put its segment; empty when none is live. */
    public OptionalLong address(int id) {
        int block = row(id);
        return block == NONE ? OptionalLong.empty() : OptionalLong.of(blocks().offset(block));
    }

    @Override
    protected long rounded(long bytes) {
        return options.rounded(bytes);
    }

    private void change() {
        if (coming != null && untilItComes-- == 0) {
            options = coming;
            coming = null;
            stock.options(options);
            changed();
        }
    }

    @Override
    protected boolean waitsForStreams() {
        return !options.agentRules();
    }

    @Override
    protected boolean reachesCapAtOnce() {
        return options.agentRules();
    }

    @Override
    protected int place(long rounded, int stream) {
        int block = placed(rounded, stream);
        change(); // between two requests: one is rounded and placed by the same options
        return block;
    }

    private int placed(long rounded, int stream) {
        Pool pool = StockPools.poolFor(rounded);
        int block = reuse(pool, rounded, stream);
        if (block == NONE) {
            stock.collectGarbage();
            block = grow(pool, rounded, stream);
        }
        if (block == NONE && stock.releaseOversize(pool, rounded, stream)) {
            block = grow(pool, rounded, stream);
        }
        if (block == NONE) {
            flush(this::emptyCache);
            block = grow(pool, rounded, stream);
        }
        if (block == NONE && options.agentRules() && pool.equals(StockPools.SMALL)) {
            block = stock.reuse(StockPools.LARGE, rounded, stream);
        }
        return block;
    }

    /** A block from what is held already, or NONE. */
    protected int reuse(Pool pool, long rounded, int stream) {
        return stock.reuse(pool, rounded, stream);
    }

    /** A block in memory taken for it, or NONE. */
    protected int grow(Pool pool, long rounded, int stream) {
        return stock.grow(pool, rounded, stream);
    }

    @Override
    protected void release(int block) {
        stock.release(block, false);
    }

    @Override
    protected void releaseCached(long goal) {
        stock.releaseCached(goal);
    }

    @Override
    protected long releasableBytes() {
        return stock.releasableBytes();
    }

    @Override
    protected long segments() {
        return stock.segments();
    }

    @Override
    protected long pieces() {
        return stock.segments();
    }

    @Override
    protected long reservedBytes(Pool pool) {
        return stock.reservedBytes(pool);
    }

    @Override
    protected long placementOffset(int block) {
        return stock.offsetInSegment(block);
    }
}
