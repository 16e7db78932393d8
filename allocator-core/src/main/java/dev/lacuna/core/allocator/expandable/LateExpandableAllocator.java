package dev.lacuna.core.allocator.expandable;

import static dev.lacuna.core.allocator.block.BlockTable.NONE;

import dev.lacuna.core.allocator.caching.CachingAllocator;
import dev.lacuna.core.allocator.caching.CachingOptions;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.MappingListener;
import dev.lacuna.core.allocator.model.Pool;

/**
 * PyTorch's caching allocator in a process that sets {@code expandable_segments:True} while it runs: its segments stay and serve on,
 * what they have no room for lies in ranges that grow. Specified in docs/allocator.md.
 */
public final class LateExpandableAllocator extends CachingAllocator {
    private boolean growing;
    private GrowingRanges ranges;
    private int firstRange;

    /** The allocator as it is before {@link #changing} has segments grow. */
    public LateExpandableAllocator(Device device, CachingOptions options) {
        super(device, options);
    }

    @Override
    protected void changed() {
        stock().splitFinely();
        growing = true;
    }

    @Override
    protected int reuse(Pool pool, long rounded, int stream) {
        if (ranges == null) {
            return super.reuse(pool, rounded, stream);
        }
        int fixed = stock().fitting(pool, rounded, stream);
        int best = ranges.fitting(rounded, stream, fixed);
        if (best == NONE) {
            return NONE;
        }
        return best == fixed ? stock().serve(best, rounded) : ranges.serve(best, rounded);
    }

    @Override
    protected int grow(Pool pool, long rounded, int stream) {
        if (!growing) {
            return super.grow(pool, rounded, stream);
        }
        if (ranges == null) { // no segment comes any more: numbers from here on are of ranges
            firstRange = stock().segmentsCreated();
            ranges = new GrowingRanges(device(), blocks(), firstRange, MappingListener.NONE);
        }
        return ranges.grow(rounded, stream, options());
    }

    @Override
    protected void release(int block) {
        if (grows(block)) {
            ranges.release(block);
        } else {
            super.release(block);
        }
    }

    /** Segments first: PyTorch goes by pool, but in the end the same is left. */
    @Override
    protected void releaseCached(long goal) {
        super.releaseCached(goal);
        if (ranges != null) {
            ranges.releaseCached(goal);
        }
    }

    @Override
    protected long releasableBytes() {
        return super.releasableBytes() + (ranges == null ? 0 : ranges.releasableBytes());
    }

    @Override
    protected long segments() {
        return super.segments() + (ranges == null ? 0 : ranges.segments());
    }

    @Override
    protected long pieces() {
        return segments();
    }

    @Override
    protected long reservedBytes(Pool pool) {
        return super.reservedBytes(pool) + (ranges == null ? 0 : ranges.reservedBytes(pool));
    }

    private boolean grows(int block) {
        return ranges != null && blocks().segment(block) >= firstRange;
    }
}
