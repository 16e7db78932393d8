package dev.lacuna.core.replay;

import dev.lacuna.core.allocator.model.Allocator;
import dev.lacuna.core.allocator.model.Outcome;
import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.trace.model.TraceChunk;

/**
 * How reserved and allocated went over a replay of any length, in a bounded number of stretches of equal length. Of each
 * stretch the smallest and the largest value are kept, so that no peak is lost; where the stretches run out, neighbours are
 * merged. Timelines of the same trace have the same stretches whatever the policy.
 */
public final class ReplayTimeline implements ReplayListener {
    /** Twice the pixels of a wide screen, so that a picture of the whole is sharp right after a merge too. */
    private static final int STRETCHES = 1 << 13;

    private final long[] reservedMin = new long[STRETCHES];
    private final long[] reservedMax = new long[STRETCHES];
    private final long[] allocatedMin = new long[STRETCHES];
    private final long[] allocatedMax = new long[STRETCHES];
    private final int[] stepsBegun = new int[STRETCHES];
    private final int[] ooms = new int[STRETCHES];
    private long rows;
    private long rowsPerStretch = 1;

    /** The stretch being filled, and how many rows it still takes. */
    private int current = -1;

    private long room;

    @Override
    public void onRow(TraceChunk chunk, int row, Outcome outcome, Allocator allocator) {
        if (room == 0) {
            next();
        }
        room--;
        rows++;
        long reserved = allocator.reservedBytes();
        long allocated = allocator.allocatedBytes();
        int at = current;
        reservedMin[at] = Math.min(reservedMin[at], reserved);
        reservedMax[at] = Math.max(reservedMax[at], reserved);
        allocatedMin[at] = Math.min(allocatedMin[at], allocated);
        allocatedMax[at] = Math.max(allocatedMax[at], allocated);
        if (outcome == Outcome.OUT_OF_MEMORY) {
            ooms[at]++;
        } else if (chunk.operation(row) == EventKind.PHASE && chunk.phase(row) == Phase.STEP && chunk.begins(row)) {
            stepsBegun[at]++;
        }
    }

    /** Rows of the trace so far. */
    public long rows() {
        return rows;
    }

    /** Number of stretches so far. */
    public int stretches() {
        return current + 1;
    }

    /** Rows in each stretch; the last may have fewer. */
    public long rowsPerStretch() {
        return rowsPerStretch;
    }

    /** Smallest number of bytes reserved after a row of stretch i. */
    public long reservedMin(int i) {
        return reservedMin[i];
    }

    /** Largest number of bytes reserved after a row of stretch i. */
    public long reservedMax(int i) {
        return reservedMax[i];
    }

    /** Smallest number of bytes allocated after a row of stretch i. */
    public long allocatedMin(int i) {
        return allocatedMin[i];
    }

    /** Largest number of bytes allocated after a row of stretch i. */
    public long allocatedMax(int i) {
        return allocatedMax[i];
    }

    /** Steps that begin in stretch i. */
    public int stepsBegun(int i) {
        return stepsBegun[i];
    }

    /** Requests of stretch i that failed for good. */
    public int ooms(int i) {
        return ooms[i];
    }

    private void next() {
        if (current + 1 == STRETCHES) {
            halve();
        }
        current++;
        room = rowsPerStretch;
        reservedMin[current] = Long.MAX_VALUE;
        reservedMax[current] = 0;
        allocatedMin[current] = Long.MAX_VALUE;
        allocatedMax[current] = 0;
        stepsBegun[current] = 0;
        ooms[current] = 0;
    }

    private void halve() {
        for (int i = 0; i < STRETCHES / 2; i++) {
            int a = 2 * i;
            int b = a + 1;
            reservedMin[i] = Math.min(reservedMin[a], reservedMin[b]);
            reservedMax[i] = Math.max(reservedMax[a], reservedMax[b]);
            allocatedMin[i] = Math.min(allocatedMin[a], allocatedMin[b]);
            allocatedMax[i] = Math.max(allocatedMax[a], allocatedMax[b]);
            stepsBegun[i] = stepsBegun[a] + stepsBegun[b];
            ooms[i] = ooms[a] + ooms[b];
        }
        current = STRETCHES / 2 - 1;
        rowsPerStretch *= 2;
    }
}
