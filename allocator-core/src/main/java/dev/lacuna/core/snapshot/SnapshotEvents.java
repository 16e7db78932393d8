package dev.lacuna.core.snapshot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/** What a device's allocator did, in columns, oldest first: as much as the recording kept. Immutable. */
public final class SnapshotEvents {
    private static final TraceAction[] ACTIONS = TraceAction.values();
    private static final long NO_TIME = Long.MIN_VALUE;

    private final byte[] actions;
    private final long[] addresses;
    private final long[] bytes;
    private final long[] streams;
    private final long[] timesUs;
    private final int[] stacks;
    private final List<PoolId> pools;
    private final List<String> contexts;
    private final List<String> notes;

    private SnapshotEvents(Builder from) {
        addresses = from.addresses.toArray();
        actions = Arrays.copyOf(from.actions, addresses.length);
        bytes = from.bytes.toArray();
        streams = from.streams.toArray();
        timesUs = from.timesUs.toArray();
        stacks = from.stacks.toArray();
        pools = List.copyOf(from.pools);
        contexts = List.copyOf(from.contexts);
        notes = List.copyOf(from.notes);
    }

    /** Number of entries. */
    public int size() {
        return addresses.length;
    }

    /** What happened. */
    public TraceAction action(int i) {
        return ACTIONS[actions[i]];
    }

    /** Unsigned address; of an {@link TraceAction#OOM}, the bytes that the device had free. */
    public long address(int i) {
        return addresses[i];
    }

    /** Bytes: as requested for allocations and frees, real for segments. */
    public long bytes(int i) {
        return bytes[i];
    }

    /** Stream: a handle, 0 for the default one. */
    public long stream(int i) {
        return streams[i];
    }

    /** Microseconds of the recorder's clock; empty in old files and in torch_npu's. */
    public OptionalLong timeUs(int i) {
        return timesUs[i] == NO_TIME ? OptionalLong.empty() : OptionalLong.of(timesUs[i]);
    }

    /** Number of the call stack. */
    public int stack(int i) {
        return stacks[i];
    }

    /** The pair of pools; the default one in files that do not say. */
    public PoolId pool(int i) {
        return pools.get(i);
    }

    /** What was being compiled, as recorded; empty in files that do not say. */
    public String compileContext(int i) {
        return contexts.get(i);
    }

    /** What the program noted; empty when nothing. */
    public String note(int i) {
        return notes.get(i);
    }

    /** Number of entries of one kind. */
    public int count(TraceAction action) {
        int count = 0;
        for (byte a : actions) {
            count += a == action.ordinal() ? 1 : 0;
        }
        return count;
    }

    /** Collects entries. */
    static final class Builder {
        private byte[] actions = new byte[64];
        private final LongColumn addresses = new LongColumn();
        private final LongColumn bytes = new LongColumn();
        private final LongColumn streams = new LongColumn();
        private final LongColumn timesUs = new LongColumn();
        private final IntColumn stacks = new IntColumn();
        private final List<PoolId> pools = new ArrayList<>();
        private final List<String> contexts = new ArrayList<>();
        private final List<String> notes = new ArrayList<>();

        void add(Fields fields, PoolId pool, int stack) throws SnapshotFormatException {
            TraceAction action = TraceAction.of(fields.text("action"));
            int row = addresses.size();
            if (row == actions.length) {
                actions = Arrays.copyOf(actions, row * 2);
            }
            actions[row] = (byte) action.ordinal();
            addresses.add(action == TraceAction.OOM ? fields.bytesOr("device_free", 0) : fields.wordOr("addr", 0));
            bytes.add(fields.bytesOr("size", 0));
            streams.add(fields.wordOr("stream", 0));
            timesUs.add(fields.wholeOr("time_us", NO_TIME));
            stacks.add(stack);
            pools.add(pool);
            contexts.add(fields.textOr("compile_context", ""));
            notes.add(fields.textOr("user_metadata", ""));
        }

        SnapshotEvents build() {
            return new SnapshotEvents(this);
        }
    }
}
