package dev.lacuna.core.trace.model;

import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.event.EventKind;
import java.util.Arrays;
import java.util.Optional;

/**
 * Some consecutive rows of a trace in columns; a cursor fills it again and again, so that a trace of any length costs the
 * memory of one chunk. Rows are numbered from 0 in the chunk, {@link #firstRow} says how many came before.
 *
 * <p>Blocks carry small numbers that are used again once a block was freed: they index tables no longer than the most
 * blocks that were ever live at once. (A chunk of an {@link AllocationTrace} keeps that trace's own numbers.)
 */
public final class TraceChunk {
    /** Rows of a full chunk, unless a cursor must look further ahead: enough to amortise handing it over. */
    public static final int ROWS = 1 << 14;

    /** A mark of a step makes up to three rows, the last of which may come after a full chunk. */
    private static final int CAPACITY = ROWS + 2;

    private static final EventKind[] OPERATIONS = EventKind.values();
    private static final Phase[] PHASES = Phase.values();

    private final boolean named;
    private long firstRow;
    private int size;
    private long nowNs;
    private byte[] operations = new byte[CAPACITY];
    private int[] blocks = new int[CAPACITY];
    private long[] values = new long[CAPACITY];
    private int[] streams = new int[CAPACITY];
    private long[] timesNs = new long[CAPACITY];
    private String[] names = new String[0];

    private TraceChunk(boolean named) {
        this.named = named;
        if (named) {
            names = new String[CAPACITY];
        }
    }

    /** A chunk for replaying: names of blocks are not kept. */
    public static TraceChunk nameless() {
        return new TraceChunk(false);
    }

    /** A chunk that keeps the names that blocks have in trace text. */
    public static TraceChunk named() {
        return new TraceChunk(true);
    }

    /** Rows that came before this chunk. */
    public long firstRow() {
        return firstRow;
    }

    /** Number of rows. */
    public int size() {
        return size;
    }

    /** What row i asks for. */
    public EventKind operation(int i) {
        return OPERATIONS[operations[i]];
    }

    /** Block number of an ALLOC or FREE row. */
    public int block(int i) {
        return blocks[i];
    }

    /** Bytes of an ALLOC or OTHER row. */
    public long bytes(int i) {
        return values[i];
    }

    /** Stream of an ALLOC row, 0 where there is only one. */
    public int stream(int i) {
        return streams[i];
    }

    /** Phase of a PHASE row. */
    public Phase phase(int i) {
        return PHASES[(int) (values[i] / 2)];
    }

    /** Whether a PHASE row begins its phase. */
    public boolean begins(int i) {
        return values[i] % 2 == 1;
    }

    /** Fraction of a FRACTION row, 0 &lt; f ≤ 1. */
    public double fraction(int i) {
        return Double.longBitsToDouble(values[i]);
    }

    /** Digits behind the point with which the fraction of a FRACTION row was written. */
    public int decimals(int i) {
        return streams[i];
    }

    /** Nanoseconds since the recording began, where the format tells; 0 in trace text. */
    public long timeNs(int i) {
        return timesNs[i];
    }

    /** The name that an ALLOC row gives its block; empty when the format names none, or the chunk keeps none. */
    public Optional<String> name(int i) {
        return named ? Optional.ofNullable(names[i]) : Optional.empty();
    }

    public boolean keepsNames() {
        return named;
    }

    /** Makes room for what follows this many rows. */
    public void restart(long rowsBefore) {
        firstRow = rowsBefore;
        size = 0;
        nowNs = 0;
    }

    public void at(long timeNs) {
        nowNs = timeNs;
    }

    public void alloc(int block, long bytes, int stream) {
        add(EventKind.ALLOC, block, bytes, stream);
    }

    /** Names the block of the row added last. */
    public void name(String name) {
        if (named) {
            names[size - 1] = name;
        }
    }

    public void free(int block) {
        add(EventKind.FREE, block, 0, 0);
    }

    public void phase(Phase phase, boolean begin) {
        add(EventKind.PHASE, 0, phaseValue(phase, begin), 0);
    }

    public void add(EventKind operation, int block, long value, int stream) {
        if (size == operations.length) {
            grow();
        }
        operations[size] = (byte) operation.ordinal();
        blocks[size] = block;
        values[size] = value;
        streams[size] = stream;
        timesNs[size] = nowNs;
        if (named) {
            names[size] = null;
        }
        size++;
    }

    /** Takes a row back; those after it move down. */
    public void retract(int row) {
        int behind = size - row - 1;
        System.arraycopy(operations, row + 1, operations, row, behind);
        System.arraycopy(blocks, row + 1, blocks, row, behind);
        System.arraycopy(values, row + 1, values, row, behind);
        System.arraycopy(streams, row + 1, streams, row, behind);
        System.arraycopy(timesNs, row + 1, timesNs, row, behind);
        if (named) {
            System.arraycopy(names, row + 1, names, row, behind);
        }
        size--;
    }

    /** The value of a PHASE row: 2 × phase ordinal + (1 begin, 0 end). */
    static long phaseValue(Phase phase, boolean begin) {
        return 2L * phase.ordinal() + (begin ? 1 : 0);
    }

    private void grow() {
        int length = size * 2;
        operations = Arrays.copyOf(operations, length);
        blocks = Arrays.copyOf(blocks, length);
        values = Arrays.copyOf(values, length);
        streams = Arrays.copyOf(streams, length);
        timesNs = Arrays.copyOf(timesNs, length);
        if (named) {
            names = Arrays.copyOf(names, length);
        }
    }
}
