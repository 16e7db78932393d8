package dev.lacuna.core.history.timeline;

import dev.lacuna.core.history.model.SlotTable;

/**
 * Which chunks of 2 MiB hold memory and no part of a block: the agent gives these back one by one, whatever lies beside them.
 */
final class ChunkUse {
    /** Added to a slot's number while memory is mapped there; the rest counts the blocks that touch it. */
    private static final int MAPPED = 1 << 30;

    private final SlotTable slots = new SlotTable();
    private long idle;

    /** Bytes in mapped chunks that no block touches. */
    long idleBytes() {
        return idle * SlotTable.SLOT_BYTES;
    }

    void map(long address, long bytes) {
        change(address, bytes, 0, MAPPED);
    }

    void unmap(long address, long bytes) {
        change(address, bytes, MAPPED, -MAPPED);
    }

    void take(long address, long bytes) {
        for (long slot = SlotTable.slot(address); slot < SlotTable.end(address, bytes); slot++) {
            put(slot, slots.get(slot), 1);
        }
    }

    void give(long address, long bytes) {
        for (long slot = SlotTable.slot(address); slot < SlotTable.end(address, bytes); slot++) {
            int held = slots.get(slot);
            put(slot, held, (held & ~MAPPED) > 0 ? -1 : 0);
        }
    }

    private void change(long address, long bytes, int from, int by) {
        for (long slot = SlotTable.slot(address); slot < SlotTable.end(address, bytes); slot++) {
            int held = slots.get(slot);
            if ((held & MAPPED) == from) {
                put(slot, held, by);
            }
        }
    }

    private void put(long slot, int held, int by) {
        slots.set(slot, held + by);
        idle += (slots.get(slot) == MAPPED ? 1 : 0) - (held == MAPPED ? 1 : 0);
    }
}
