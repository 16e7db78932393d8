package dev.lacuna.core.trace.model;

import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.event.EventKind;
import java.util.Arrays;
import java.util.Optional;

/**
 * Some consecutive rows of a trace; a cursor fills it again and again, so that a trace of any length costs the
 * memory of one chunk. Rows are numbered from 0 in the chunk, {@link #firstRow} says how many came before.
 *
 * <p>Blocks carry small numbers that are used again once a block was freed: they index tables no longer than the most
 * blocks that were ever live at once. (A chunk of an {@link AllocationTrace} keeps that trace's own numbers.)
 */
public final class TraceChunk extends TraceRows {
    /** Rows of a full chunk, unless a cursor must look further ahead: enough to amortise handing it over. */
    public static final int ROWS = 1 << 14;

    /** A mark of a step makes up to three rows, the last of which may come after a full chunk. */
    private static final int CAPACITY = ROWS + 2;

    private final boolean named;
    private long firstRow;
    private long nowNs;
    private String[] names = new String[0];

    private TraceChunk(boolean named) {
        super(CAPACITY);
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
        clear();
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
            names[size() - 1] = name;
        }
    }

    public void free(int block) {
        add(EventKind.FREE, block, 0, 0);
    }

    public void phase(Phase phase, boolean begin) {
        add(EventKind.PHASE, 0, phaseValue(phase, begin), 0);
    }

    public void add(EventKind operation, int block, long value, int stream) {
        add(operation, block, value, stream, nowNs);
        unname();
    }

    /** Adds a row of others as it is. */
    void take(TraceRows from, int row) {
        copy(from, row);
        unname();
    }

    private void unname() {
        if (named) {
            if (size() > names.length) {
                names = Arrays.copyOf(names, 2 * names.length);
            }
            names[size() - 1] = null;
        }
    }

    /** Takes a row back; those after it move down. */
    public void retract(int row) {
        if (named) {
            System.arraycopy(names, row + 1, names, row, size() - row - 1);
        }
        remove(row);
    }
}
