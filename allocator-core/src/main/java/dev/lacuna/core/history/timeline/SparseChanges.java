package dev.lacuna.core.history.timeline;

import java.util.Arrays;

/** What segments do to a device's memory: few events change it. Filled in the order of the events. */
final class SparseChanges {
    private int[] events = new int[64];
    private long[] reserved = new long[64];
    private long[] releasable = new long[64];
    private int size;

    /** Notes by how much an event changed what is reserved and what is releasable, in bytes. */
    void add(int event, long reservedBy, long releasableBy) {
        if (size == events.length) {
            events = Arrays.copyOf(events, size * 2);
            reserved = Arrays.copyOf(reserved, size * 2);
            releasable = Arrays.copyOf(releasable, size * 2);
        }
        events[size] = event;
        reserved[size] = reservedBy;
        releasable[size++] = releasableBy;
    }

    /** The number of the first change at this event or after it. */
    int first(int event) {
        int found = Arrays.binarySearch(events, 0, size, event);
        return found < 0 ? -found - 1 : found;
    }

    /** Applies the change of this number if it is this event's; returns the number to ask for next. */
    int apply(int number, int event, RunningMemory memory) {
        if (number < size && events[number] == event) {
            memory.reserved += reserved[number];
            memory.releasable += releasable[number];
            return number + 1;
        }
        return number;
    }
}
