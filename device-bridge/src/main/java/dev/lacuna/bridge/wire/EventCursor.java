package dev.lacuna.bridge.wire;

import static dev.lacuna.bridge.wire.Bytes.unreadable;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.wire.TelemetryLayout.Event;
import dev.lacuna.bridge.wire.TelemetryLayout.Header;
import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.base.event.MemoryEvents;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * One reader's place in the event ring. The writer never waits: it overwrites, and the cursor counts what it missed.
 * With {@code head} read after copying, event n is intact iff n &gt; head − capacity, because the slot of
 * event head − capacity may be in the middle of being overwritten. Not for use by several threads at once.
 */
public final class EventCursor {
    private static final int REMAP = EventKind.REMAP.ordinal() + 1;

    private final Bytes shared;
    private final TelemetryHeader header;
    private long position;
    private long lost;
    private long unknown;

    EventCursor(ByteBuffer file, TelemetryHeader header) throws BridgeException {
        this.shared = new Bytes(file, 0);
        this.header = header;
        this.position = oldestIntact(head(shared.acquire(Header.EVENT_HEAD)));
    }

    /** Events that were overwritten before this cursor could read them. */
    public long lost() {
        return lost;
    }

    /** Number of the next event, from 0. */
    long position() {
        return position;
    }

    /** Events left out because this program does not know their kind. */
    public long unknown() {
        return unknown;
    }

    /**
     * What was written since the previous call, oldest first; the first call brings what the ring held at the start.
     *
     * @throws BridgeException UNREADABLE when the ring's head runs backwards or out of range
     */
    public MemoryEvents next() throws BridgeException {
        long head = head(shared.acquire(Header.EVENT_HEAD));
        if (head < position) {
            throw unreadable(Header.EVENT_HEAD.name() + " ran backwards, from " + position + " to " + head);
        }
        long first = Math.max(position, oldestIntact(head));
        byte[] raw = copy(first, (int) (head - first));
        long headAfter = head(shared.afterwards(Header.EVENT_HEAD));
        if (headAfter < head) {
            throw unreadable(Header.EVENT_HEAD.name() + " ran backwards, from " + head + " to " + headAfter);
        }
        long intact = Math.min(head, Math.max(first, oldestIntact(headAfter)));
        lost += intact - position;
        position = head;
        return decode(raw, (int) (intact - first), intact, (int) (head - intact));
    }

    private static long head(long value) throws BridgeException {
        if (value < 0) {
            throw unreadable(Header.EVENT_HEAD.name() + " is out of range: " + Long.toUnsignedString(value));
        }
        return value;
    }

    private long oldestIntact(long head) {
        return Math.max(0, head - header.eventCapacity() + 1);
    }

    private byte[] copy(long first, int count) {
        byte[] raw = new byte[count * Event.BYTES];
        int slot = (int) (first & (header.eventCapacity() - 1));
        int beforeWrap = Math.min(count, header.eventCapacity() - slot);
        shared.copy(header.ringOffset() + slot * Event.BYTES, raw, 0, beforeWrap * Event.BYTES);
        shared.copy(header.ringOffset(), raw, beforeWrap * Event.BYTES, (count - beforeWrap) * Event.BYTES);
        return raw;
    }

    private MemoryEvents decode(byte[] raw, int skip, long first, int count) {
        if (count == 0) {
            return MemoryEvents.NONE;
        }
        Columns columns = new Columns(count);
        ByteBuffer events = ByteBuffer.wrap(raw);
        for (int i = 0; i < count; i++) {
            columns.add(first + i, new Bytes(events, (skip + i) * Event.BYTES), header.deviceCount());
        }
        unknown += count - columns.size;
        return columns.toEvents();
    }

    /** The columns of a batch while it is filled. */
    private static final class Columns {
        private final long[] sequences;
        private final long[] timesNs;
        private final long[] addresses;
        private final long[] sizes;
        private final byte[] kinds;
        private final byte[] pools;
        private final byte[] devices;
        private final int[] streams;
        private int size;

        Columns(int count) {
            sequences = new long[count];
            timesNs = new long[count];
            addresses = new long[count];
            sizes = new long[count];
            kinds = new byte[count];
            pools = new byte[count];
            devices = new byte[count];
            streams = new int[count];
        }

        void add(long sequence, Bytes event, int deviceCount) {
            int kind = event.u8(Event.KIND);
            int device = event.u8(Event.DEVICE);
            if (EventKind.ofCode(kind).isEmpty() || device >= deviceCount) {
                return;
            }
            sequences[size] = sequence;
            timesNs[size] = event.u64(Event.TIME_NS);
            addresses[size] = event.u64(Event.ADDRESS);
            sizes[size] = clamped(event.u64(Event.SIZE));
            kinds[size] = (byte) kind;
            pools[size] = poolCode(event.u8(Event.POOL));
            devices[size] = (byte) device;
            // Agents that do not tell the source of a move wrote the number of a stream there, of which no reader knows
            // anything.
            boolean means = kind != REMAP || event.u8(Event.TOLD) == 1;
            streams[size] = means ? event.u32(Event.STREAM) : 0;
            size++;
        }

        private static byte poolCode(int code) {
            return PoolName.ofCode(code).isPresent() ? (byte) code : -1;
        }

        /** A request that failed may have been absurdly large: 2^64 − 1 bytes stay "too many", not −1. */
        private static long clamped(long unsigned) {
            return unsigned < 0 ? Long.MAX_VALUE : unsigned;
        }

        MemoryEvents toEvents() {
            if (size == 0) {
                return MemoryEvents.NONE;
            }
            boolean consecutive = sequences[size - 1] - sequences[0] == size - 1;
            return new MemoryEvents(
                    sequences[0],
                    size,
                    timesNs,
                    addresses,
                    sizes,
                    kinds,
                    pools,
                    devices,
                    streams,
                    consecutive ? new long[0] : Arrays.copyOf(sequences, size));
        }
    }
}
