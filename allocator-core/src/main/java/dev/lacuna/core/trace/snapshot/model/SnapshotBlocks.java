package dev.lacuna.core.trace.snapshot.model;

import java.util.Arrays;

/** The blocks of a device's segments, in columns, by segment and within one by address. Immutable. */
public final class SnapshotBlocks {
    private static final BlockState[] STATES = BlockState.values();

    /** No blocks at all. */
    public static final SnapshotBlocks NONE = new Builder().build();

    private final long[] addresses;
    private final long[] bytes;
    private final long[] requested;
    private final byte[] states;
    private final int[] stacks;
    private final int[] segments;

    private SnapshotBlocks(Builder from) {
        addresses = from.addresses.toArray();
        bytes = from.bytes.toArray();
        requested = from.requested.toArray();
        states = Arrays.copyOf(from.states, addresses.length);
        stacks = from.stacks.toArray();
        segments = from.segments.toArray();
    }

    /** Number of blocks. */
    public int size() {
        return bytes.length;
    }

    /** Unsigned address; where an old file does not say, the end of the block before. */
    public long address(int i) {
        return addresses[i];
    }

    /** Size in bytes, rounding included. */
    public long bytes(int i) {
        return bytes[i];
    }

    /** Bytes that were asked for; what a free block says here means nothing. */
    public long requestedBytes(int i) {
        return requested[i];
    }

    /** What it is doing. */
    public BlockState state(int i) {
        return STATES[states[i]];
    }

    /** Number of the call stack that asked for it; of the last that did, where it is free and the file says. */
    public int stack(int i) {
        return stacks[i];
    }

    /** Row of its segment. */
    public int segment(int i) {
        return segments[i];
    }

    /** Collects blocks. */
    public static final class Builder {
        private final LongColumn addresses = new LongColumn();
        private final LongColumn bytes = new LongColumn();
        private final LongColumn requested = new LongColumn();
        private byte[] states = new byte[64];
        private final IntColumn stacks = new IntColumn();
        private final IntColumn segments = new IntColumn();

        public int size() {
            return addresses.size();
        }

        public void add(long address, long size, long requestedBytes, BlockState state, int stack, int segment) {
            int row = addresses.size();
            if (row == states.length) {
                states = Arrays.copyOf(states, row * 2);
            }
            states[row] = (byte) state.ordinal();
            addresses.add(address);
            bytes.add(size);
            requested.add(requestedBytes);
            stacks.add(stack);
            segments.add(segment);
        }

        public SnapshotBlocks build() {
            return new SnapshotBlocks(this);
        }
    }
}
