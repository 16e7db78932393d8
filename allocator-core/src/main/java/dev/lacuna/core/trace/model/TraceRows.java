package dev.lacuna.core.trace.model;

import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.event.EventKind;
import java.util.Arrays;

/** Rows of a trace in columns: millions of them cost no object each. Who adds to them has checked the values. */
public sealed class TraceRows permits AllocationTrace, TraceChunk {
    private static final EventKind[] OPERATIONS = EventKind.values();
    private static final Phase[] PHASES = Phase.values();

    private int size;
    private byte[] operations;
    private int[] blocks;
    private long[] values;
    private int[] streams;
    private long[] timesNs;

    /** None yet, with room for so many. */
    TraceRows(int room) {
        operations = new byte[room];
        blocks = new int[room];
        values = new long[room];
        streams = new int[room];
        timesNs = new long[room];
    }

    /** Rows to which no more are added: columns that are full are shared, others are cut. */
    TraceRows(TraceRows rows) {
        size = rows.size;
        operations = rows.operations;
        blocks = rows.blocks;
        values = rows.values;
        streams = rows.streams;
        timesNs = rows.timesNs;
        if (operations.length > size) {
            resize(size);
        }
    }

    /** Number of rows. */
    public final int size() {
        return size;
    }

    /** What row i asks for. */
    public final EventKind operation(int i) {
        return OPERATIONS[operations[i]];
    }

    /** Block number of an ALLOC or FREE row. */
    public final int block(int i) {
        return blocks[i];
    }

    /** Bytes of an ALLOC or OUTSIDE row. */
    public final long bytes(int i) {
        return values[i];
    }

    /** Stream of an ALLOC row, 0 where there is only one. */
    public final int stream(int i) {
        return streams[i];
    }

    /** Phase of a PHASE row. */
    public final Phase phase(int i) {
        return PHASES[(int) (values[i] / 2)];
    }

    /** Whether a PHASE row begins its phase. */
    public final boolean begins(int i) {
        return values[i] % 2 == 1;
    }

    /** Fraction of a LIMIT row, 0 &lt; f ≤ 1. */
    public final double fraction(int i) {
        return Double.longBitsToDouble(values[i]);
    }

    /** Digits behind the point with which the fraction of a LIMIT row was written. */
    public final int decimals(int i) {
        return streams[i];
    }

    /** Nanoseconds since the recording began, where the format tells; 0 in trace text. */
    public final long timeNs(int i) {
        return timesNs[i];
    }

    /** The value of a PHASE row: 2 × phase ordinal + (1 begin, 0 end). */
    static long phaseValue(Phase phase, boolean begin) {
        return 2L * phase.ordinal() + (begin ? 1 : 0);
    }

    final void add(EventKind operation, int block, long value, int stream, long timeNs) {
        if (size == operations.length) {
            resize(size * 2);
        }
        operations[size] = (byte) operation.ordinal();
        blocks[size] = block;
        values[size] = value;
        streams[size] = stream;
        timesNs[size] = timeNs;
        size++;
    }

    /** Adds a row of others as it is, at its own time. */
    final void copy(TraceRows from, int row) {
        add(from.operation(row), from.blocks[row], from.values[row], from.streams[row], from.timesNs[row]);
    }

    final void clear() {
        size = 0;
    }

    /** Takes a row out; those after it move down. */
    final void remove(int row) {
        int behind = size - row - 1;
        System.arraycopy(operations, row + 1, operations, row, behind);
        System.arraycopy(blocks, row + 1, blocks, row, behind);
        System.arraycopy(values, row + 1, values, row, behind);
        System.arraycopy(streams, row + 1, streams, row, behind);
        System.arraycopy(timesNs, row + 1, timesNs, row, behind);
        size--;
    }

    final boolean hasRowsOf(TraceRows that) {
        return Arrays.equals(operations, 0, size, that.operations, 0, that.size)
                && Arrays.equals(blocks, 0, size, that.blocks, 0, that.size)
                && Arrays.equals(values, 0, size, that.values, 0, that.size)
                && Arrays.equals(streams, 0, size, that.streams, 0, that.size)
                && Arrays.equals(timesNs, 0, size, that.timesNs, 0, that.size);
    }

    private void resize(int length) {
        operations = Arrays.copyOf(operations, length);
        blocks = Arrays.copyOf(blocks, length);
        values = Arrays.copyOf(values, length);
        streams = Arrays.copyOf(streams, length);
        timesNs = Arrays.copyOf(timesNs, length);
    }
}
