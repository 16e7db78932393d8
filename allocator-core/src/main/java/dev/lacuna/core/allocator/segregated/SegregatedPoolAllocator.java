package dev.lacuna.core.allocator.segregated;

import static dev.lacuna.core.allocator.block.BlockTable.NONE;

import dev.lacuna.core.allocator.block.BlockTable;
import dev.lacuna.core.allocator.block.RequestSize;
import dev.lacuna.core.allocator.caching.StockPools;
import dev.lacuna.core.allocator.lifetime.Lifetime;
import dev.lacuna.core.allocator.lifetime.LifetimeClassifier;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.ModelAllocator;
import dev.lacuna.core.allocator.model.Pool;
import dev.lacuna.core.allocator.model.Separation;
import java.util.List;
import java.util.stream.Stream;

/**
 * Lacuna's own policy, and the executable specification of the native agent (docs/allocator.md): addresses
 * shared by size class, in which lifetime decides where a block goes, over one stock of 2 MiB chunks that flow. The optimisation switches live; off,
 * PyTorch's native rules hold on the same device, and the policy that was left is drained.
 */
public final class SegregatedPoolAllocator extends ModelAllocator {
    /** The policy's name. */
    public static final String NAME = "segregated";

    private static final List<Pool> POOLS =
            Stream.concat(StockPools.ALL.stream(), SegregatedPools.ALL.stream()).toList();

    private final StockPools stock;
    private final SegregatedPools segregated;
    private final LifetimeClassifier lifetimes = new LifetimeClassifier();
    private boolean optimisation;

    /** An allocator with the optimisation on, on a device of its own. */
    public SegregatedPoolAllocator(Device device) {
        this(device, true);
    }

    /** An allocator on a device of its own, with the optimisation on or off to begin with. */
    public SegregatedPoolAllocator(Device device, boolean optimisation) {
        this(device, optimisation, new BlockTable());
    }

    private SegregatedPoolAllocator(Device device, boolean optimisation, BlockTable blocks) {
        super(device, blocks, POOLS);
        this.optimisation = optimisation;
        stock = new StockPools(blocks, device);
        segregated = new SegregatedPools(blocks, device);
    }

    @Override
    public String name() {
        return NAME;
    }

    /** Switches between the segregated pools and PyTorch's rules. Live blocks stay where they are. */
    public void optimisation(boolean on) {
        if (on == optimisation) {
            return;
        }
        completePending();
        optimisation = on;
        if (on) {
            stock.leave();
        } else {
            segregated.releaseCached(0);
        }
    }

    @Override
    protected int place(long rounded, int stream) {
        Lifetime lifetime = lifetimes.classify(rounded, inSetup());
        int block = optimisation ? placeSegregated(rounded, stream, lifetime) : placeStock(rounded, stream, lifetime);
        if (block != NONE) {
            lifetimes.born(block);
        }
        return block;
    }

    // Pending frees complete by command only, and those that could were completed when the request began: the
    // completions
    // that docs/allocator.md puts before a second try find nothing in a model.

    private int placeSegregated(long rounded, int stream, Lifetime lifetime) {
        boolean small = RequestSize.small(rounded);
        long peak = peakWith(rounded);
        int block = segregated.place(small, rounded, lifetime, peak);
        if (block != NONE) {
            return block;
        }
        if (small) {
            block = segregated.place(false, rounded, lifetime, peak);
        }
        if (block == NONE) {
            block = stock.reuse(StockPools.poolFor(rounded), rounded, stream);
        }
        if (block == NONE && small) {
            block = stock.reuse(StockPools.LARGE, rounded, stream);
        }
        if (block != NONE) {
            countRetry();
        }
        return block;
    }

    /** What the peak of allocated bytes will be when this request is served. */
    private long peakWith(long rounded) {
        return Math.max(peakAllocatedBytes(), allocatedBytes() + rounded);
    }

    private int placeStock(long rounded, int stream, Lifetime lifetime) {
        Pool pool = StockPools.poolFor(rounded);
        int block = stock.reuse(pool, rounded, stream);
        if (block == NONE) {
            block = stock.grow(pool, rounded, stream);
        }
        if (block != NONE) {
            return block;
        }
        flush(() -> releaseCached(0));
        block = stock.grow(pool, rounded, stream);
        return block != NONE ? block : borrowForStock(rounded, stream, lifetime);
    }

    /** The stock policy's last resort: whatever is mapped already in other pools. */
    private int borrowForStock(long rounded, int stream, Lifetime lifetime) {
        boolean small = RequestSize.small(rounded);
        int block = small ? stock.reuse(StockPools.LARGE, rounded, stream) : NONE;
        if (block == NONE) {
            block = segregated.placeInMapped(small, rounded, lifetime, peakWith(rounded));
        }
        if (block == NONE && small) {
            block = segregated.placeInMapped(false, rounded, lifetime, peakWith(rounded));
        }
        return block;
    }

    @Override
    protected void freed(int block) {
        lifetimes.freed(block);
    }

    @Override
    protected void release(int block) {
        if (inStock(block)) {
            stock.release(block, optimisation);
        } else {
            segregated.release(block, !optimisation);
        }
    }

    @Override
    protected void releaseCached(long goal) {
        stock.releaseCached(goal);
        segregated.releaseCached(goal);
    }

    @Override
    protected void stepBegan() {
        lifetimes.stepBegan();
    }

    @Override
    protected void stepEnded() {
        lifetimes.stepEnded();
    }

    @Override
    protected long releasableBytes() {
        return stock.releasableBytes() + segregated.releasableBytes();
    }

    @Override
    protected long segments() {
        return stock.segments() + segregated.runs();
    }

    @Override
    protected long pieces() {
        return stock.segments() + segregated.chunks();
    }

    @Override
    protected Separation separation() {
        return new Separation(optimisation, segregated.remaps());
    }

    @Override
    protected long reservedBytes(Pool pool) {
        return StockPools.ALL.contains(pool) ? stock.reservedBytes(pool) : segregated.reservedBytes(pool);
    }

    @Override
    protected long placementOffset(int block) {
        return inStock(block) ? stock.offsetInSegment(block) : blocks().offset(block);
    }

    private boolean inStock(int block) {
        return blocks().pool(block) <= StockPools.LARGE.number();
    }
}
