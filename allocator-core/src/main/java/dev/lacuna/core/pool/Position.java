package dev.lacuna.core.pool;

import static dev.lacuna.core.pool.BlockTable.NONE;

/** A place considered for a block: which free extent, where in it, and how many unmapped slots it touches. Reused. */
final class Position {
    int extent = NONE;
    long offset;
    int need;

    boolean found() {
        return extent != NONE;
    }

    void clear() {
        extent = NONE;
        need = Integer.MAX_VALUE;
    }

    /** Takes the candidate if it needs fewer slots than what was found so far. */
    void offer(int candidate, long at, int needed) {
        if (needed < need) {
            extent = candidate;
            offset = at;
            need = needed;
        }
    }
}
