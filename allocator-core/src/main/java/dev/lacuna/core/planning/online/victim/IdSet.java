package dev.lacuna.core.planning.online.victim;

import java.util.Arrays;
import java.util.function.IntConsumer;

/** A set of numbers from 0 that costs room for what is in it only: there are four of them per storage. */
final class IdSet {
    private static final int[] NOTHING = {};

    /** Numbers plus one; 0 is an empty place. Length a power of two, at most half full of entries and graves. */
    private int[] table = NOTHING;
    /** Place of a number that was taken out. */
    private static final int GRAVE = -1;

    private int size;
    private int used;

    boolean contains(int id) {
        return place(id) >= 0;
    }

    /** Returns whether it was not there. */
    boolean add(int id) {
        if (2 * (used + 1) > table.length) {
            grow();
        }
        if (place(id) >= 0) {
            return false;
        }
        int at = hash(id);
        while (table[at] > 0) {
            at = (at + 1) & (table.length - 1);
        }
        if (table[at] == 0) {
            used++;
        }
        table[at] = id + 1;
        size++;
        return true;
    }

    void remove(int id) {
        int at = place(id);
        if (at >= 0) {
            table[at] = GRAVE;
            size--;
        }
    }

    void clear() {
        if (used > 0) {
            if (table.length > 64 && size < table.length / 8) {
                table = NOTHING;
            } else {
                Arrays.fill(table, 0);
            }
        }
        size = 0;
        used = 0;
    }

    void forEach(IntConsumer action) {
        int[] seen = table;
        for (int entry : seen) {
            if (entry > 0) {
                action.accept(entry - 1);
            }
        }
    }

    private int place(int id) {
        if (table.length == 0) {
            return -1;
        }
        int at = hash(id);
        while (table[at] != 0) {
            if (table[at] == id + 1) {
                return at;
            }
            at = (at + 1) & (table.length - 1);
        }
        return -1;
    }

    private int hash(int id) {
        return ((id * 0x9E3779B1) >>> 7) & (table.length - 1);
    }

    private void grow() {
        int[] old = table;
        table = new int[Math.max(8, Integer.highestOneBit(Math.max(4, 2 * size)) * 4)];
        size = 0;
        used = 0;
        for (int entry : old) {
            if (entry > 0) {
                add(entry - 1);
            }
        }
    }
}
