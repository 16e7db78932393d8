package dev.lacuna.core.base.event;

import dev.lacuna.core.base.counters.PoolName;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * A batch of events in columns, oldest first, so that thousands per second cost no object each. Numbers are consecutive
 * but for events of unknown kinds, which are left out. The arrays are owned by the batch and must not be changed after
 * construction; {@code size} rows are valid.
 */
public final class MemoryEvents {
    /** A batch without events. */
    public static final MemoryEvents NONE = new MemoryEvents(
            0, 0, new long[0], new long[0], new long[0], new byte[0], new byte[0], new byte[0], new int[0]);

    /** The agent moves memory in chunks of this. */
    private static final long CHUNK_BYTES = 2L << 20;

    private final long firstSequence;
    private final int size;
    private final long[] timesNs;
    private final long[] addresses;
    private final long[] sizes;
    private final byte[] kinds;
    private final byte[] pools;
    private final byte[] devices;
    private final int[] streams;
    private final long[] sequences;

    /** Takes ownership of the columns; kinds are wire codes, pools are wire codes or −1. */
    public MemoryEvents(
            long firstSequence,
            int size,
            long[] timesNs,
            long[] addresses,
            long[] sizes,
            byte[] kinds,
            byte[] pools,
            byte[] devices,
            int[] streams) {
        this(firstSequence, size, timesNs, addresses, sizes, kinds, pools, devices, streams, new long[0]);
    }

    /**
     * Takes ownership of the columns of a batch that may have holes (events of a kind this program does not know).
     *
     * @param sequences the number of each row, or empty when the rows are consecutive from {@code firstSequence}
     */
    public MemoryEvents(
            long firstSequence,
            int size,
            long[] timesNs,
            long[] addresses,
            long[] sizes,
            byte[] kinds,
            byte[] pools,
            byte[] devices,
            int[] streams,
            long[] sequences) {
        this.firstSequence = firstSequence;
        this.size = size;
        this.timesNs = timesNs;
        this.addresses = addresses;
        this.sizes = sizes;
        this.kinds = kinds;
        this.pools = pools;
        this.devices = devices;
        this.streams = streams;
        this.sequences = sequences;
    }

    /** Number of events. */
    public int size() {
        return size;
    }

    /** Sequence number of row 0. */
    public long firstSequence() {
        return firstSequence;
    }

    /** Sequence number of row i. */
    public long sequence(int i) {
        return sequences.length == 0 ? firstSequence + i : sequences[i];
    }

    /** Wire code of the kind of row i; compare with {@code EventKind.ordinal() + 1}. */
    public int kindCode(int i) {
        return kinds[i];
    }

    /** CLOCK_MONOTONIC nanoseconds of row i. */
    public long timeNs(int i) {
        return timesNs[i];
    }

    /** Address of row i. */
    public long address(int i) {
        return addresses[i];
    }

    /** Size column of row i. */
    public long sizeOf(int i) {
        return sizes[i];
    }

    /** Wire code of the pool of row i, −1 for none. */
    public int poolCode(int i) {
        return pools[i];
    }

    /** Device index of row i. */
    public int device(int i) {
        return devices[i];
    }

    /** Handle of the stream of row i, 32 bits of it; 0 for the default one. Of a move see {@link #movedFrom}. */
    public int stream(int i) {
        return streams[i];
    }

    /**
     * Where the chunks lay that a {@link EventKind#REMAP} in row i moved; empty for other kinds, and where an older agent wrote it. The wire
     * tells in place of the stream how many chunks of 2 MiB the destination lies above the source.
     */
    public OptionalLong movedFrom(int i) {
        boolean tells = kinds[i] == EventKind.REMAP.ordinal() + 1 && streams[i] != 0;
        return tells ? OptionalLong.of(addresses[i] - streams[i] * CHUNK_BYTES) : OptionalLong.empty();
    }

    /** Row i as an object; rows of an unknown kind (a newer agent) are refused by the reader before they get here. */
    public MemoryEvent get(int i) {
        return new MemoryEvent(
                sequence(i),
                timesNs[i],
                EventKind.ofCode(kinds[i]).orElseThrow(),
                devices[i],
                PoolName.ofCode(pools[i]),
                addresses[i],
                sizes[i],
                kinds[i] == EventKind.REMAP.ordinal() + 1 ? 0 : streams[i]);
    }

    /** The last {@code n} events as objects, oldest first. */
    public List<MemoryEvent> last(int n) {
        List<MemoryEvent> out = new ArrayList<>();
        for (int i = Math.max(0, size - n); i < size; i++) {
            out.add(get(i));
        }
        return out;
    }
}
