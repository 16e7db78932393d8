package dev.lacuna.core.trace.snapshot.model;

import java.util.ArrayList;
import java.util.List;

/**
 * The segments that a device held, in columns, in the order of the file. An expandable range is one segment per contiguous
 * mapped piece. Immutable.
 */
public final class SnapshotSegments {
    /** No segments at all. */
    public static final SnapshotSegments NONE = new Builder().build();

    private final long[] addresses;
    private final long[] bytes;
    private final long[] allocated;
    private final long[] active;
    private final long[] requested;
    private final long[] streams;
    private final int[] kinds;
    private final int[] stacks;
    private final int[] firstBlocks;
    private final int[] endBlocks;
    private final List<PoolId> pools;

    private SnapshotSegments(Builder from) {
        addresses = from.addresses.toArray();
        bytes = from.bytes.toArray();
        allocated = from.allocated.toArray();
        active = from.active.toArray();
        requested = from.requested.toArray();
        streams = from.streams.toArray();
        kinds = from.kinds.toArray();
        stacks = from.stacks.toArray();
        firstBlocks = from.firstBlocks.toArray();
        endBlocks = from.endBlocks.toArray();
        pools = List.copyOf(from.pools);
    }

    /** Number of segments. */
    public int size() {
        return bytes.length;
    }

    /** Unsigned address. */
    public long address(int i) {
        return addresses[i];
    }

    /** Size in bytes. */
    public long bytes(int i) {
        return bytes[i];
    }

    /** Bytes in the trainer's hands, as the file says. */
    public long allocatedBytes(int i) {
        return allocated[i];
    }

    /** Allocated, plus freed bytes that a stream still uses, as the file says. */
    public long activeBytes(int i) {
        return active[i];
    }

    /** Bytes that the trainer asked for; of its blocks, where an old file does not say. */
    public long requestedBytes(int i) {
        return requested[i];
    }

    /** The stream that its blocks serve: a handle, 0 for the default one. */
    public long stream(int i) {
        return streams[i];
    }

    /** Whether it belongs to a large pool. */
    public boolean large(int i) {
        return (kinds[i] & Builder.LARGE) != 0;
    }

    /** Whether it is a piece of an expandable range. */
    public boolean expandable(int i) {
        return (kinds[i] & Builder.EXPANDABLE) != 0;
    }

    /** The pair of pools that it belongs to; the default one in files that do not say. */
    public PoolId pool(int i) {
        return pools.get(i);
    }

    /** Number of the call stack that took it from the device. */
    public int stack(int i) {
        return stacks[i];
    }

    /** Row of its lowest block. */
    public int firstBlock(int i) {
        return firstBlocks[i];
    }

    /** Row after that of its highest block. */
    public int endBlock(int i) {
        return endBlocks[i];
    }

    /** Collects segments. */
    public static final class Builder {
        private static final int LARGE = 1;
        private static final int EXPANDABLE = 2;

        /** PyTorch's kSmallBuffer: the size of every segment of a small pool. */
        private static final long SMALL_SEGMENT_BYTES = 2L << 20;

        private final LongColumn addresses = new LongColumn();
        private final LongColumn bytes = new LongColumn();
        private final LongColumn allocated = new LongColumn();
        private final LongColumn active = new LongColumn();
        private final LongColumn requested = new LongColumn();
        private final LongColumn streams = new LongColumn();
        private final IntColumn kinds = new IntColumn();
        private final IntColumn stacks = new IntColumn();
        private final IntColumn firstBlocks = new IntColumn();
        private final IntColumn endBlocks = new IntColumn();
        private final List<PoolId> pools = new ArrayList<>();

        public int size() {
            return addresses.size();
        }

        /** Adds a segment whose blocks have been added: rows {@code firstBlock} … {@code endBlock}−1. */
        public void add(
                Fields fields,
                long address,
                PoolId pool,
                int stack,
                int firstBlock,
                int endBlock,
                SegmentSums ofBlocks) {
            long total = fields.bytesOr("total_size", ofBlocks.totalBytes());
            addresses.add(address);
            bytes.add(total);
            allocated.add(fields.bytesOr("allocated_size", ofBlocks.allocatedBytes()));
            active.add(fields.bytesOr("active_size", ofBlocks.activeBytes()));
            requested.add(fields.bytesOr("requested_size", ofBlocks.requestedBytes()));
            streams.add(fields.wordOr("stream", 0));
            String usual = total > SMALL_SEGMENT_BYTES ? "large" : "small";
            int large = fields.textOr("segment_type", usual).equals("large") ? LARGE : 0;
            kinds.add(large | (fields.isTrue("is_expandable") ? EXPANDABLE : 0));
            stacks.add(stack);
            firstBlocks.add(firstBlock);
            endBlocks.add(endBlock);
            pools.add(pool);
        }

        public SnapshotSegments build() {
            return new SnapshotSegments(this);
        }
    }
}
