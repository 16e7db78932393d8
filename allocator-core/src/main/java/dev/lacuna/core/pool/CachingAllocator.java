package dev.lacuna.core.pool;

import static dev.lacuna.core.pool.BlockTable.NONE;

import dev.lacuna.core.memory.PoolName;

/**
 * PyTorch's native caching allocator with its default options: segments cached per pool, best fit within a stream, all
 * cached memory released before giving up. Published as {@code c10/cuda/CUDACachingAllocator.cpp}.
 */
public final class CachingAllocator extends ModelAllocator {
    /** The policy's name. */
    public static final String NAME = "caching";

    private final StockPools stock;

    /** An allocator on a device of its own. */
    public CachingAllocator(Device device) {
        this(device, new BlockTable());
    }

    private CachingAllocator(Device device, BlockTable blocks) {
        super(device, blocks);
        stock = new StockPools(blocks, device);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    int place(long rounded, int stream) {
        PoolName pool = StockPools.poolFor(rounded);
        int block = stock.reuse(pool, rounded, stream);
        if (block == NONE) {
            block = stock.grow(pool, rounded, stream);
        }
        if (block == NONE) {
            stock.releaseCached(0);
            countRetry();
            block = stock.grow(pool, rounded, stream);
        }
        if (block == NONE && pool == PoolName.STOCK_SMALL) {
            block = stock.reuse(PoolName.STOCK_LARGE, rounded, stream);
        }
        return block;
    }

    @Override
    void release(int block) {
        stock.release(block, false);
    }

    @Override
    void releaseCached(long goal) {
        stock.releaseCached(goal);
    }

    @Override
    long releasableBytes() {
        return stock.releasableBytes();
    }

    @Override
    long segments() {
        return stock.segments();
    }

    @Override
    long pieces() {
        return stock.segments();
    }

    @Override
    boolean optimisation() {
        return false;
    }

    @Override
    long remaps() {
        return 0;
    }

    @Override
    long reservedBytes(PoolName pool) {
        return pool.segregated() ? 0 : stock.reservedBytes(pool);
    }

    @Override
    long placementOffset(int block) {
        return stock.offsetInSegment(block);
    }
}
