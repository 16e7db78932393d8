package dev.lacuna.core.snapshot;

import java.util.Optional;

/**
 * The contents of lists, each kept once: recordings repeat the same call stacks by the thousand, item for item the same
 * objects. Contents are never changed; a list that goes on growing takes a copy.
 */
final class SharedItems {
    /** Shorter contents are cheaper to keep than to look for. */
    static final int SHORTEST = 4;

    private Object[][] table = new Object[256][];
    private int count;

    /** The known contents that are these objects, or empty when there are none such. */
    Optional<Object[]> find(Object[] source, int from, int to) {
        for (int slot = slot(source, from, to); table[slot] != null; slot = slot + 1 & table.length - 1) {
            if (same(table[slot], source, from, to)) {
                return Optional.of(table[slot]);
            }
        }
        return Optional.empty();
    }

    /** Makes contents known that were not found. */
    void add(Object[] items) {
        if (count * 2 >= table.length) {
            grow();
        }
        insert(items);
        count++;
    }

    /** Bytes that making one more known may take. */
    int bytesToAdd() {
        return 4 * Budget.REFERENCE_BYTES;
    }

    private void grow() {
        Object[][] old = table;
        table = new Object[old.length * 2][];
        for (Object[] items : old) {
            if (items != null) {
                insert(items);
            }
        }
    }

    private void insert(Object[] items) {
        int slot = slot(items, 0, items.length);
        while (table[slot] != null) {
            slot = slot + 1 & table.length - 1;
        }
        table[slot] = items;
    }

    private int slot(Object[] source, int from, int to) {
        int hash = to - from;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + System.identityHashCode(source[i]);
        }
        return hash * 0x9E3779B9 >>> 4 & table.length - 1;
    }

    private static boolean same(Object[] items, Object[] source, int from, int to) {
        if (items.length != to - from) {
            return false;
        }
        for (int i = 0; i < items.length; i++) {
            if (items[i] != source[from + i]) {
                return false;
            }
        }
        return true;
    }
}
