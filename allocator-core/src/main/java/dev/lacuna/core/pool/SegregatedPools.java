package dev.lacuna.core.pool;

import static dev.lacuna.core.pool.BlockTable.NONE;

import dev.lacuna.core.memory.PoolName;

/**
 * The four lifetime-segregated pools over one stock of chunks: addresses are segregated, physical 2 MiB chunks flow. When
 * memory is short, a placement takes wholly free chunks from any of the pools by remapping, oldest first.
 */
final class SegregatedPools {
    private static final int FIRST = PoolName.SHORT_SMALL.ordinal();

    private final BlockTable blocks;
    private final Device device;
    private final SegregatedPool[] pools = new SegregatedPool[PoolName.values().length - FIRST];
    private final ChunkLedger wholeFree = new ChunkLedger();
    private final Position position = new Position();
    private long remaps;

    SegregatedPools(BlockTable blocks, Device device) {
        this.blocks = blocks;
        this.device = device;
        for (int p = 0; p < pools.length; p++) {
            PoolName name = PoolName.ofCode(p + FIRST).orElseThrow();
            pools[p] = new SegregatedPool(name, blocks, device.rangeBytes());
        }
    }

    /** A block, growing and stealing as needed; NONE, with nothing changed, when chunks are too few. */
    int place(PoolName pool, long rounded) {
        SegregatedPool target = pool(pool);
        target.find(rounded, position);
        if (!position.found()) {
            return NONE;
        }
        int firstSlot = SegregatedPool.firstSlot(position.offset);
        int endSlot = SegregatedPool.endSlot(position.offset + rounded);
        int own = pool.ordinal() - FIRST;
        int steal = (int) Math.max(0, position.need - device.allowedSlots());
        if (steal > wholeFree.count() - wholeFreeIn(own, firstSlot, endSlot)) {
            return NONE;
        }
        use(own, firstSlot, endSlot);
        unmapOldest(steal);
        remaps += steal;
        fill(target.range(), firstSlot, endSlot);
        device.take((position.need - steal) * Device.SLOT_BYTES);
        return target.occupy(position, rounded);
    }

    /** A block at a position whose slots are all mapped; NONE where there is none. */
    int placeInMapped(PoolName pool, long rounded) {
        SegregatedPool target = pool(pool);
        target.find(rounded, position);
        if (!position.found() || position.need > 0) {
            return NONE;
        }
        int firstSlot = SegregatedPool.firstSlot(position.offset);
        use(pool.ordinal() - FIRST, firstSlot, SegregatedPool.endSlot(position.offset + rounded));
        return target.occupy(position, rounded);
    }

    /**
     * A block is free again. Slots that became wholly free stay mapped unless the pools are being drained or reserved is
     * above the cap.
     */
    void release(int b, boolean draining) {
        int own = blocks.pool(b) - FIRST;
        SegregatedPool pool = pools[own];
        int firstSlot = SegregatedPool.firstSlot(blocks.offset(b));
        int endSlot = SegregatedPool.endSlot(blocks.end(b));
        int whole = pool.release(b);
        int first = Math.max(firstSlot, SegregatedPool.endSlot(blocks.offset(whole)));
        int end = Math.min(endSlot, SegregatedPool.firstSlot(blocks.end(whole)));
        for (int slot = first; slot < end; slot++) {
            if (draining || device.overLimit()) {
                pool.range().unmap(slot);
                device.giveBack(Device.SLOT_BYTES);
            } else {
                wholeFree.add(ChunkLedger.key(own, slot));
            }
        }
    }

    /** Gives wholly free chunks back, oldest first, until no more than {@code goal} bytes are reserved. */
    void releaseCached(long goal) {
        while (wholeFree.count() > 0 && device.reservedBytes() > goal) {
            unmapOldest(1);
            device.giveBack(Device.SLOT_BYTES);
        }
    }

    /** Bytes in wholly free chunks. */
    long releasableBytes() {
        return wholeFree.count() * Device.SLOT_BYTES;
    }

    /** Chunks held. */
    int chunks() {
        int sum = 0;
        for (SegregatedPool pool : pools) {
            sum += pool.range().mappedSlots();
        }
        return sum;
    }

    /** Maximal runs of adjacent chunks. */
    int runs() {
        int sum = 0;
        for (SegregatedPool pool : pools) {
            sum += pool.range().runs();
        }
        return sum;
    }

    /** Chunks moved so far. */
    long remaps() {
        return remaps;
    }

    /** Bytes of a pool's range that hold memory. */
    long reservedBytes(PoolName pool) {
        return pool(pool).range().mappedBytes();
    }

    private SegregatedPool pool(PoolName name) {
        return pools[name.ordinal() - FIRST];
    }

    private int wholeFreeIn(int pool, int from, int to) {
        int found = 0;
        for (int slot = from; slot < to; slot++) {
            if (wholeFree.contains(ChunkLedger.key(pool, slot))) {
                found++;
            }
        }
        return found;
    }

    /** A block is about to touch these slots: they stop being wholly free. */
    private void use(int pool, int from, int to) {
        for (int slot = from; slot < to; slot++) {
            int key = ChunkLedger.key(pool, slot);
            if (wholeFree.contains(key)) {
                wholeFree.remove(key);
            }
        }
    }

    private void unmapOldest(int chunks) {
        for (int i = 0; i < chunks; i++) {
            int key = wholeFree.oldest();
            wholeFree.remove(key);
            pools[ChunkLedger.poolOf(key)].range().unmap(ChunkLedger.slotOf(key));
        }
    }

    private static void fill(VirtualRange range, int from, int to) {
        for (int slot = from; slot < to; slot++) {
            if (!range.isMapped(slot)) {
                range.map(slot);
            }
        }
    }
}
