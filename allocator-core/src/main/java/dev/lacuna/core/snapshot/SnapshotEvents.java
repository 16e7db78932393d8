package dev.lacuna.core.snapshot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/** What a device's allocator did, in columns, oldest first: as much as the recording kept. Immutable. */
public final class SnapshotEvents {
    private static final TraceAction[] ACTIONS = TraceAction.values();

    /** The time of an entry that does not say. */
    public static final long NO_TIME = Long.MIN_VALUE;

    private static final long NS_PER_US = 1000;

    private final long tickNs;
    private final byte[] actions;
    private final long[] addresses;
    private final long[] bytes;
    private final long[] streams;
    private final long[] ticks;
    private final int[] stacks;
    private final List<PoolId> pools;
    private final List<String> contexts;
    private final List<String> notes;

    private SnapshotEvents(Builder from) {
        tickNs = from.tickNs;
        addresses = from.addresses.toArray();
        actions = Arrays.copyOf(from.actions, addresses.length);
        bytes = from.bytes.toArray();
        streams = from.streams.toArray();
        ticks = from.ticks.toArray();
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

    /** Whether entry i says when it was; old files and torch_npu's do not. */
    public boolean timed(int i) {
        return ticks[i] != NO_TIME;
    }

    /** Nanoseconds of the recorder's clock; 0 where the entry does not say. */
    public long timeNs(int i) {
        return timed(i) ? ticks[i] * tickNs : 0;
    }

    /** Microseconds of the recorder's clock; empty in old files and in torch_npu's. */
    public OptionalLong timeUs(int i) {
        return timed(i) ? OptionalLong.of(timeNs(i) / NS_PER_US) : OptionalLong.empty();
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

    /** Entries from another source than a snapshot, whose times are nanoseconds. */
    public static Builder builder() {
        return new Builder(1);
    }

    /** Collects entries. */
    public static final class Builder {
        private final long tickNs;
        private byte[] actions = new byte[64];
        private final LongColumn addresses = new LongColumn();
        private final LongColumn bytes = new LongColumn();
        private final LongColumn streams = new LongColumn();
        private final LongColumn ticks = new LongColumn();
        private final IntColumn stacks = new IntColumn();
        private final List<PoolId> pools = new ArrayList<>();
        private final List<String> contexts = new ArrayList<>();
        private final List<String> notes = new ArrayList<>();

        /** Entries of a snapshot, whose times are microseconds. */
        Builder() {
            this(NS_PER_US);
        }

        private Builder(long tickNs) {
            this.tickNs = tickNs;
        }

        void add(Fields fields, PoolId pool, int stack) throws SnapshotFormatException {
            TraceAction action = TraceAction.of(fields.text("action"));
            row(
                    action,
                    action == TraceAction.OOM ? fields.bytesOr("device_free", 0) : fields.wordOr("addr", 0),
                    fields.bytesOr("size", 0));
            streams.add(fields.wordOr("stream", 0));
            ticks.add(fields.wholeOr("time_us", NO_TIME));
            stacks.add(stack);
            pools.add(pool);
            contexts.add(fields.textOr("compile_context", ""));
            notes.add(fields.textOr("user_metadata", ""));
        }

        /** An entry without a stack and without a note. */
        public Builder add(TraceAction action, long address, long size, long stream, long timeNs) {
            return add(action, address, size, stream, timeNs, CallStacks.EMPTY);
        }

        /** An entry whose stack has this number. */
        public Builder add(TraceAction action, long address, long size, long stream, long timeNs, int stack) {
            row(action, address, size);
            streams.add(stream);
            ticks.add(timeNs);
            stacks.add(stack);
            pools.add(PoolId.DEFAULT);
            contexts.add("");
            notes.add("");
            return this;
        }

        /** Number of entries so far. */
        public int size() {
            return addresses.size();
        }

        /** The entries so far. */
        public SnapshotEvents build() {
            return new SnapshotEvents(this);
        }

        private void row(TraceAction action, long address, long size) {
            int row = addresses.size();
            if (row == actions.length) {
                actions = Arrays.copyOf(actions, row * 2);
            }
            actions[row] = (byte) action.ordinal();
            addresses.add(address);
            bytes.add(size);
        }
    }
}
