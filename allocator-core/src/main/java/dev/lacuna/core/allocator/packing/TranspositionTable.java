package dev.lacuna.core.allocator.packing;

/**
 * States of the search that were seen to fail, by their hashes. The table never grows: a state that finds its slot taken goes into the
 * one beside it, whatever stood there. Forgetting a state costs time and no truth.
 */
final class TranspositionTable {
    private static final int SLOTS = 1 << 20;

    /** 0 where there is none. */
    private final long[] states = new long[SLOTS];

    boolean contains(long state) {
        int slot = (int) state & SLOTS - 1;
        return states[slot] == state || states[slot ^ 1] == state;
    }

    void add(long state) {
        int slot = (int) state & SLOTS - 1;
        states[states[slot] == 0 ? slot : slot ^ 1] = state;
    }
}
