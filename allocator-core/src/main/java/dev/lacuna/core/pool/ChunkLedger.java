package dev.lacuna.core.pool;

import java.util.Arrays;

/**
 * The wholly free chunks of the segregated pools, oldest first: mapped slots that no block touches, in the order in which
 * they became so. A slot is named by a key that packs its number and its pool.
 *
 * <p>An intrusive doubly linked list over the keys; key 0 is the list's head, so real keys start at 1.
 */
final class ChunkLedger {
    private static final int POOLS = 4;
    private static final int HEAD = 0;
    private static final int ABSENT = -1;

    private int[] nexts = {HEAD};
    private int[] previous = {HEAD};
    private int count;

    /** The key of a slot of one of the four segregated pools (0 … 3). */
    static int key(int pool, int slot) {
        return slot * POOLS + pool + 1;
    }

    static int poolOf(int key) {
        return (key - 1) % POOLS;
    }

    static int slotOf(int key) {
        return (key - 1) / POOLS;
    }

    /** Number of wholly free chunks. */
    int count() {
        return count;
    }

    boolean contains(int key) {
        return key < nexts.length && nexts[key] != ABSENT;
    }

    /** The chunk that has been wholly free the longest. */
    int oldest() {
        return nexts[HEAD];
    }

    /** The chunk became wholly free just now. */
    void add(int key) {
        ensure(key);
        int last = previous[HEAD];
        nexts[last] = key;
        previous[key] = last;
        nexts[key] = HEAD;
        previous[HEAD] = key;
        count++;
    }

    /** The chunk is used again, or has left. */
    void remove(int key) {
        nexts[previous[key]] = nexts[key];
        previous[nexts[key]] = previous[key];
        nexts[key] = ABSENT;
        count--;
    }

    private void ensure(int key) {
        if (key >= nexts.length) {
            int from = nexts.length;
            int length = Math.max(key + 1, from * 2);
            nexts = Arrays.copyOf(nexts, length);
            previous = Arrays.copyOf(previous, length);
            Arrays.fill(nexts, from, length, ABSENT);
        }
    }
}
