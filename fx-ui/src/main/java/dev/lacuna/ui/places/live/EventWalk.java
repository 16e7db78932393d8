package dev.lacuna.ui.places.live;

import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.base.event.MemoryEvents;

/**
 * What reserved and requested were after each event of one sample. The counters are the anchor: events up to their
 * time are undone backwards from them, later ones are applied forwards, so a fault of the reader never adds up over
 * samples. Buffers are kept between walks.
 */
final class EventWalk {
    private static final int ALLOC = EventKind.ALLOC.ordinal() + 1;
    private static final int FREE = EventKind.FREE.ordinal() + 1;
    private static final int GROW = EventKind.GROW.ordinal() + 1;
    private static final int RELEASE = EventKind.RELEASE.ordinal() + 1;

    private int count;
    private boolean changing;
    private int[] rows = new int[256];
    private long[] requested = new long[256];
    private long[] reserved = new long[256];

    /**
     * Walks the events of the counters' device.
     *
     * @param toldAsTheyHappen whether what they tell of blocks and segments happened then; else the counters are all that is known
     */
    void walk(MemoryEvents events, MemoryCounters counters, boolean toldAsTheyHappen) {
        changing = toldAsTheyHappen;
        select(events, counters.device());
        int pivot = 0;
        while (pivot < count && events.timeNs(rows[pivot]) <= counters.timeNs()) {
            pivot++;
        }
        long asked = counters.requestedBytes();
        long taken = counters.reservedBytes();
        for (int i = pivot - 1; i >= 0; i--) {
            store(i, asked, taken);
            asked -= requestedChange(events, rows[i]);
            taken -= reservedChange(events, rows[i]);
        }
        asked = counters.requestedBytes();
        taken = counters.reservedBytes();
        for (int i = pivot; i < count; i++) {
            asked += requestedChange(events, rows[i]);
            taken += reservedChange(events, rows[i]);
            store(i, asked, taken);
        }
    }

    /** Number of events of the device. */
    int count() {
        return count;
    }

    /** Row of the i-th of them in the batch. */
    int row(int i) {
        return rows[i];
    }

    /** Requested bytes after the i-th of them. */
    long requested(int i) {
        return requested[i];
    }

    /** Reserved bytes after the i-th of them. */
    long reserved(int i) {
        return reserved[i];
    }

    private void select(MemoryEvents events, int device) {
        if (rows.length < events.size()) {
            rows = new int[events.size()];
            requested = new long[events.size()];
            reserved = new long[events.size()];
        }
        count = 0;
        for (int row = 0; row < events.size(); row++) {
            if (events.device(row) == device) {
                rows[count++] = row;
            }
        }
    }

    private void store(int i, long asked, long taken) {
        // Events that were overwritten before they could be read may pull a walk below zero.
        requested[i] = Math.max(0, asked);
        reserved[i] = Math.max(0, taken);
    }

    private long requestedChange(MemoryEvents events, int row) {
        int kind = changing ? events.kindCode(row) : 0;
        return kind == ALLOC ? events.sizeOf(row) : kind == FREE ? -events.sizeOf(row) : 0;
    }

    private long reservedChange(MemoryEvents events, int row) {
        int kind = changing ? events.kindCode(row) : 0;
        return kind == GROW ? events.sizeOf(row) : kind == RELEASE ? -events.sizeOf(row) : 0;
    }
}
