package dev.lacuna.core.allocator.lifetime;

import java.util.Arrays;

/**
 * The blocks whose lifetime is not yet decided, in order of birth, each with its key and its birth (a count of events). An
 * intrusive doubly linked list over block numbers; blocks are numbered from 1, 0 is the list's head.
 */
final class YoungBlocks {
    private static final int HEAD = 0;
    private static final int ABSENT = -1;

    private int[] nexts = {HEAD};
    private int[] previous = {HEAD};
    private long[] keys = {0};
    private long[] births = {0};

    boolean contains(int block) {
        return block < nexts.length && nexts[block] != ABSENT;
    }

    boolean isEmpty() {
        return nexts[HEAD] == HEAD;
    }

    /** The block born first; only when not empty. */
    int oldest() {
        return nexts[HEAD];
    }

    long key(int block) {
        return keys[block];
    }

    long birth(int block) {
        return births[block];
    }

    void add(int block, long key, long birth) {
        ensure(block);
        keys[block] = key;
        births[block] = birth;
        int last = previous[HEAD];
        nexts[last] = block;
        previous[block] = last;
        nexts[block] = HEAD;
        previous[HEAD] = block;
    }

    void remove(int block) {
        nexts[previous[block]] = nexts[block];
        previous[nexts[block]] = previous[block];
        nexts[block] = ABSENT;
    }

    private void ensure(int block) {
        if (block >= nexts.length) {
            int from = nexts.length;
            int length = Math.max(block + 1, from * 2);
            nexts = Arrays.copyOf(nexts, length);
            previous = Arrays.copyOf(previous, length);
            keys = Arrays.copyOf(keys, length);
            births = Arrays.copyOf(births, length);
            Arrays.fill(nexts, from, length, ABSENT);
        }
    }
}
