package dev.lacuna.core.snapshot;

import java.util.Arrays;

/** A list, tuple or set of a pickle. May contain itself. */
final class PickleList {
    private static final Object[] EMPTY = {};

    private Object[] items;
    private int size;

    PickleList() {
        this(EMPTY);
    }

    /** Takes the array over. */
    PickleList(Object[] items) {
        this.items = items;
        this.size = items.length;
    }

    int size() {
        return size;
    }

    Object get(int i) {
        return items[i];
    }

    /** Appends the objects {@code from} … {@code to}−1 of {@code source}. */
    void addAll(Object[] source, int from, int to) {
        int wanted = size + to - from;
        if (wanted > items.length) {
            // Mostly a list is filled by one command: then nothing is left over.
            items = Arrays.copyOf(items, size == 0 ? wanted : Math.max(wanted, size + size / 2 + 1));
        }
        System.arraycopy(source, from, items, size, to - from);
        size = wanted;
    }
}
