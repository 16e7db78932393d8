package dev.lacuna.core.allocator.segregated;

import static dev.lacuna.core.allocator.block.BlockTable.NONE;

/** A place considered for a block: where it begins, in or below which free block, and how many unmapped slots it touches. Reused. */
final class Position {
    int block = NONE;
    long offset;
    int need;

    boolean found() {
        return block != NONE;
    }

    void clear() {
        block = NONE;
        need = Integer.MAX_VALUE;
    }

    /** Takes the candidate if it needs fewer slots than what was found so far. */
    void offer(int candidate, long at, int needed) {
        if (needed < need) {
            block = candidate;
            offset = at;
            need = needed;
        }
    }
}
