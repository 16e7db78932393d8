package dev.lacuna.core.history.agent;

import dev.lacuna.core.base.event.EventKind;
import java.util.Arrays;

/** What the agent told of one device, in columns, oldest first. */
final class AgentRows {
    /** In place of a kind: events were lost here; the size says how many. */
    static final int LOST = -1;

    /** A source of moved memory that nobody told. */
    static final long UNTOLD = -1;

    private static final EventKind[] KINDS = EventKind.values();

    private byte[] kinds = new byte[1024];
    private byte[] pools = new byte[1024];
    private int[] streams = new int[1024];
    private long[] times = new long[1024];
    private long[] addresses = new long[1024];
    private long[] sizes = new long[1024];
    private long[] sources = new long[16];
    private int moves;
    private int size;

    void add(EventKind kind, long timeNs, long address, long bytes, int pool, int stream) {
        row(kind.ordinal(), timeNs, address, bytes, pool, stream);
    }

    /** Memory moved here from another place. */
    void move(long timeNs, long source, long address, long bytes, int pool) {
        if (moves == sources.length) {
            sources = Arrays.copyOf(sources, moves * 2);
        }
        sources[moves] = source;
        row(EventKind.REMAP.ordinal(), timeNs, address, bytes, pool, moves++);
    }

    void lost(long events, long timeNs) {
        row(LOST, timeNs, 0, events, -1, 0);
    }

    private void row(int kind, long timeNs, long address, long bytes, int pool, int stream) {
        if (size == kinds.length) {
            int room = size * 2;
            kinds = Arrays.copyOf(kinds, room);
            pools = Arrays.copyOf(pools, room);
            streams = Arrays.copyOf(streams, room);
            times = Arrays.copyOf(times, room);
            addresses = Arrays.copyOf(addresses, room);
            sizes = Arrays.copyOf(sizes, room);
        }
        kinds[size] = (byte) kind;
        pools[size] = (byte) pool;
        streams[size] = stream;
        times[size] = timeNs;
        addresses[size] = address;
        sizes[size++] = bytes;
    }

    int size() {
        return size;
    }

    boolean isLoss(int i) {
        return kinds[i] == LOST;
    }

    /** What happened, where it is no loss. */
    EventKind kind(int i) {
        return KINDS[kinds[i]];
    }

    /** Wire code of the pool, −1 for none. */
    int pool(int i) {
        return pools[i];
    }

    int stream(int i) {
        return streams[i];
    }

    long timeNs(int i) {
        return times[i];
    }

    long address(int i) {
        return addresses[i];
    }

    long bytes(int i) {
        return sizes[i];
    }

    /** Where moved memory came from; UNTOLD where the agent does not say. */
    long source(int i) {
        return sources[streams[i]];
    }
}
