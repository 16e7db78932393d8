package dev.lacuna.core.history.timeline;

/** Whole states of a device's memory, in columns. */
final class MemoryStates {
    private final long[] reserved;
    private final long[] allocated;
    private final long[] requested;
    private final long[] pending;
    private final long[] releasable;

    MemoryStates(int size) {
        reserved = new long[size];
        allocated = new long[size];
        requested = new long[size];
        pending = new long[size];
        releasable = new long[size];
    }

    void put(int row, RunningMemory memory) {
        reserved[row] = memory.reserved;
        allocated[row] = memory.allocated;
        requested[row] = memory.requested;
        pending[row] = memory.pending;
        releasable[row] = memory.releasable;
    }

    /** Makes a memory what was put into a row. */
    void get(int row, RunningMemory memory) {
        memory.reserved = reserved[row];
        memory.allocated = allocated[row];
        memory.requested = requested[row];
        memory.pending = pending[row];
        memory.releasable = releasable[row];
    }
}
