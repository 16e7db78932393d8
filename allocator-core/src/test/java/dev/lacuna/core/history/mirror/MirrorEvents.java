package dev.lacuna.core.history.mirror;

import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.base.event.MemoryEvents;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** Feeds a mirror event by event, as a reader of a process would. */
final class MirrorEvents {
    private record Event(EventKind kind, PoolName pool, long address, long size) {}

    private final List<Event> waiting = new ArrayList<>();
    private long sequence;
    private long lost;

    MirrorEvents(long firstSequence) {
        sequence = firstSequence;
    }

    MirrorEvents event(EventKind kind, PoolName pool, long address, long size) {
        waiting.add(new Event(kind, pool, address, size));
        return this;
    }

    MirrorEvents alloc(long address, long size) {
        return event(EventKind.ALLOC, PoolName.STOCK_LARGE, address, size);
    }

    MirrorEvents free(long address, long size) {
        return event(EventKind.FREE, PoolName.STOCK_LARGE, address, size);
    }

    MirrorEvents grow(long address, long size) {
        return event(EventKind.GROW, PoolName.STOCK_LARGE, address, size);
    }

    /** What came since is lost. */
    MirrorEvents lose() {
        lost += waiting.size();
        sequence += waiting.size();
        waiting.clear();
        return this;
    }

    void into(BlockMirror mirror) {
        deliver((at, events) -> mirror.add(at, lost, events, List.of()));
    }

    void into(MirrorHistory history) {
        deliver((at, events) -> history.add(at, lost, events, List.of()));
    }

    /** When the event of this number happened. */
    static long timeOf(long sequence) {
        return 1000 + 10 * sequence;
    }

    private void deliver(BiConsumer<Long, MemoryEvents> reader) {
        int size = waiting.size();
        long[] times = new long[size];
        long[] addresses = new long[size];
        long[] sizes = new long[size];
        byte[] kinds = new byte[size];
        byte[] pools = new byte[size];
        for (int i = 0; i < size; i++) {
            Event event = waiting.get(i);
            times[i] = timeOf(sequence + i);
            addresses[i] = event.address();
            sizes[i] = event.size();
            kinds[i] = (byte) (event.kind().ordinal() + 1);
            pools[i] = (byte) event.pool().ordinal();
        }
        MemoryEvents events =
                new MemoryEvents(sequence, size, times, addresses, sizes, kinds, pools, new byte[size], new int[size]);
        sequence += size;
        waiting.clear();
        reader.accept(timeOf(sequence) - 5, events);
    }
}
