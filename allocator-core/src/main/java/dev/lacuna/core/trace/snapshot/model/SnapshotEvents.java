package dev.lacuna.core.trace.snapshot.model;

import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.trace.snapshot.pickle.RowRange;
import java.util.OptionalLong;

/** What a device's allocator did, in columns, oldest first: as much as the recording kept. Immutable. */
public final class SnapshotEvents {
    /** The time of an entry that does not say. */
    public static final long NO_TIME = Long.MIN_VALUE;

    private static final EventKind[] ACTIONS = EventKind.values();
    private static final long NS_PER_US = 1000;

    private final EventColumns columns;
    private final int first;
    private final int size;
    private final long tickNs;

    /** The rows {@code first} … {@code first + size}−1, whose ticks are so many nanoseconds. */
    private SnapshotEvents(EventColumns columns, int first, int size, long tickNs) {
        this.columns = columns;
        this.first = first;
        this.size = size;
        this.tickNs = tickNs;
    }

    /** Entries of a snapshot, whose ticks are microseconds. */
    public static SnapshotEvents of(EventColumns columns, RowRange rows) {
        return new SnapshotEvents(columns, rows.from(), rows.size(), NS_PER_US);
    }

    /** The entries {@code from} … {@code to}−1 of these, on their own: the others are not kept. */
    public SnapshotEvents copy(int from, int to) {
        EventColumns own = new EventColumns();
        for (int row = first + from; row < first + to; row++) {
            own.copy(columns, row);
        }
        return new SnapshotEvents(own, 0, own.size(), tickNs);
    }

    /** Number of entries. */
    public int size() {
        return size;
    }

    /** What happened. */
    public EventKind action(int i) {
        return ACTIONS[columns.action(first + i)];
    }

    /** Unsigned address; of an {@link EventKind#OOM}, the bytes that the device had free. */
    public long address(int i) {
        return columns.address(first + i);
    }

    /** Bytes: as requested for allocations and frees, real for segments. */
    public long bytes(int i) {
        return columns.bytes(first + i);
    }

    /** Stream: a handle, 0 for the default one. */
    public long stream(int i) {
        return columns.stream(first + i);
    }

    /** Whether entry i says when it was; old files and torch_npu's do not. */
    public boolean timed(int i) {
        return columns.tick(first + i) != NO_TIME;
    }

    /** Nanoseconds of the recorder's clock; 0 where the entry does not say. */
    public long timeNs(int i) {
        return timed(i) ? columns.tick(first + i) * tickNs : 0;
    }

    /** Microseconds of the recorder's clock; empty in old files and in torch_npu's. */
    public OptionalLong timeUs(int i) {
        return timed(i) ? OptionalLong.of(timeNs(i) / NS_PER_US) : OptionalLong.empty();
    }

    /** Number of the call stack. */
    public int stack(int i) {
        return columns.stack(first + i);
    }

    /** The pair of pools; the default one in files that do not say. */
    public PoolId pool(int i) {
        return columns.pool(first + i);
    }

    /** What was being compiled, as recorded; empty in files that do not say. */
    public String compileContext(int i) {
        return columns.context(first + i);
    }

    /** What the program noted; empty when nothing. */
    public String note(int i) {
        return columns.note(first + i);
    }

    /** Number of entries of one kind. */
    public int count(EventKind action) {
        int count = 0;
        for (int row = first; row < first + size; row++) {
            count += columns.action(row) == action.ordinal() ? 1 : 0;
        }
        return count;
    }

    /** Entries from another source than a snapshot, whose times are nanoseconds. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects entries of another source than a snapshot. */
    public static final class Builder {
        private final EventColumns columns = new EventColumns();

        private Builder() {}

        /** An entry without a stack; {@link #NO_TIME} where it has no time. */
        public Builder add(EventKind action, long address, long size, long stream, long timeNs) {
            return add(action, address, size, stream, timeNs, CallStacks.EMPTY);
        }

        /**
         * An entry whose stack has this number.
         *
         * @throws IllegalArgumentException when there are more streams than 65,536
         */
        public Builder add(EventKind action, long address, long size, long stream, long timeNs, int stack) {
            int row = columns.add(action, address, size, timeNs, stack);
            if (!columns.place(row, stream, PoolId.DEFAULT)) {
                throw new IllegalArgumentException("more streams than can be numbered");
            }
            return this;
        }

        /** Number of entries so far. */
        public int size() {
            return columns.size();
        }

        /** The entries; nothing is to be added afterwards. */
        public SnapshotEvents build() {
            return new SnapshotEvents(columns, 0, columns.size(), 1);
        }
    }
}
