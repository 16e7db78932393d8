package dev.lacuna.core.base.counters;

/**
 * Where a device's memory is, in parts that add up: the first four to allocated, with the gap's three to reserved, with
 * outside to what is in use on the device. Bytes.
 *
 * @param longLived large blocks of long-lived tensors
 * @param shortLived large blocks of short-lived tensors
 * @param unsorted large blocks of the stock policy, which does not tell lifetimes apart
 * @param small blocks up to 1 MiB of all pools
 * @param releasable wholly free, given back when memory is short
 * @param split free pieces of partly used segments
 * @param pending freed, a stream still uses it
 * @param rounding inside the first four: allocated − requested
 * @param outside in use on the device, not reserved by the pool
 */
public record MemoryDivision(
        PoolShare longLived,
        PoolShare shortLived,
        PoolShare unsorted,
        PoolShare small,
        long releasable,
        long split,
        long pending,
        long rounding,
        long outside) {

    /**
     * One kind of blocks.
     *
     * @param reservedBytes taken from the device for it
     * @param allocatedBytes in blocks
     */
    public record PoolShare(long reservedBytes, long allocatedBytes) {
        /** Free inside it. */
        public long freeBytes() {
            return Math.max(0, reservedBytes - allocatedBytes);
        }
    }

    /** How these counters divide. */
    public static MemoryDivision of(MemoryCounters counters) {
        return new MemoryDivision(
                share(counters, PoolName.LONG_LARGE),
                share(counters, PoolName.SHORT_LARGE),
                share(counters, PoolName.STOCK_LARGE),
                share(counters, PoolName.STOCK_SMALL, PoolName.SHORT_SMALL, PoolName.LONG_SMALL),
                counters.gap().releasableBytes(),
                counters.gap().splitBytes(),
                counters.gap().pendingBytes(),
                counters.roundingBytes(),
                counters.outsideBytes());
    }

    private static PoolShare share(MemoryCounters counters, PoolName... pools) {
        long reserved = 0;
        long allocated = 0;
        for (PoolName pool : pools) {
            PoolUsage usage = counters.pool(pool);
            reserved += usage.reservedBytes();
            allocated += usage.allocatedBytes();
        }
        return new PoolShare(reserved, allocated);
    }
}
