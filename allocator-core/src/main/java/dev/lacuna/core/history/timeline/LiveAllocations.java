package dev.lacuna.core.history.timeline;

import dev.lacuna.core.history.model.DeviceHistory;
import java.util.Arrays;

/** Which allocations hold memory now: added and removed in constant time. */
final class LiveAllocations {
    private static final int ABSENT = -1;

    private final int[] places;
    private int[] live = new int[1024];
    private int size;

    /** @param allocations how many there can be */
    LiveAllocations(int allocations) {
        places = new int[allocations];
        Arrays.fill(places, ABSENT);
    }

    void add(int a) {
        if (size == live.length) {
            live = Arrays.copyOf(live, size * 2);
        }
        places[a] = size;
        live[size++] = a;
    }

    void remove(int a) {
        int place = places[a];
        if (place == ABSENT) {
            return;
        }
        int last = live[--size];
        live[place] = last;
        places[last] = place;
        places[a] = ABSENT;
    }

    /** How many there are. */
    int size() {
        return size;
    }

    /** The i-th of them, in no order. */
    int get(int i) {
        return live[i];
    }

    /** Bytes of the blocks that begin within a stretch of addresses. */
    long bytesWithin(DeviceHistory device, long address, long length) {
        long sum = 0;
        for (int i = 0; i < size; i++) {
            if (Long.compareUnsigned(device.addressOf(live[i]) - address, length) < 0) {
                sum += device.bytesOf(live[i]);
            }
        }
        return sum;
    }
}
