package dev.lacuna.bridge;

import dev.lacuna.core.memory.EventKind;
import dev.lacuna.core.memory.MemoryEvents;
import dev.lacuna.core.memory.PoolName;
import java.util.ArrayList;
import java.util.List;

/** Builds samples event by event, as a reader would get them. */
final class Telling {
    private record Event(EventKind kind, PoolName pool, long address, long size) {}

    private final List<Event> waiting = new ArrayList<>();
    private long sequence;
    private long lost;

    Telling(long firstSequence) {
        sequence = firstSequence;
    }

    Telling event(EventKind kind, PoolName pool, long address, long size) {
        waiting.add(new Event(kind, pool, address, size));
        return this;
    }

    Telling alloc(long address, long size) {
        return event(EventKind.ALLOC, PoolName.STOCK_LARGE, address, size);
    }

    Telling free(long address, long size) {
        return event(EventKind.FREE, PoolName.STOCK_LARGE, address, size);
    }

    Telling grow(long address, long size) {
        return event(EventKind.GROW, PoolName.STOCK_LARGE, address, size);
    }

    /** What was told since is lost. */
    Telling lose() {
        lost += waiting.size();
        sequence += waiting.size();
        waiting.clear();
        return this;
    }

    Sample sample() {
        int size = waiting.size();
        long[] times = new long[size];
        long[] addresses = new long[size];
        long[] sizes = new long[size];
        byte[] kinds = new byte[size];
        byte[] pools = new byte[size];
        for (int i = 0; i < size; i++) {
            Event event = waiting.get(i);
            times[i] = 1000 + sequence + i;
            addresses[i] = event.address();
            sizes[i] = event.size();
            kinds[i] = (byte) (event.kind().ordinal() + 1);
            pools[i] = (byte) event.pool().ordinal();
        }
        MemoryEvents events =
                new MemoryEvents(sequence, size, times, addresses, sizes, kinds, pools, new byte[size], new int[size]);
        sequence += size;
        waiting.clear();
        return new Sample(0, 5000 + sequence, 1, ProcessState.RUNNING, List.of(), events, lost);
    }
}
