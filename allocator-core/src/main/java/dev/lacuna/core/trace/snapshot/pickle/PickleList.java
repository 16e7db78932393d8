package dev.lacuna.core.trace.snapshot.pickle;

import java.util.Arrays;

/** A list, tuple or set of a pickle. May contain itself. Trace entries in it are runs of rows: one item each. */
public final class PickleList extends PickleContainer {
    private static final Object[] EMPTY = {};

    private final boolean tuple;
    private Object[] items;
    private int size;

    /** An empty list. */
    public PickleList() {
        this(EMPTY, false);
    }

    private PickleList(Object[] items, boolean tuple) {
        this.items = items;
        this.size = items.length;
        this.tuple = tuple;
    }

    /** A list of these; takes the array over. */
    static PickleList of(Object[] items) {
        PickleList list = new PickleList();
        list.addAll(items, 0, items.length);
        return list;
    }

    /** A tuple, which never changes; takes the array over. */
    static PickleList tuple(Object[] items) {
        return new PickleList(items, true);
    }

    public int size() {
        return size;
    }

    public Object get(int i) {
        return items[i];
    }

    public boolean isEmpty() {
        return size == 0;
    }

    boolean isTuple() {
        return tuple;
    }

    /**
     * Appends the objects {@code from} … {@code to}−1 of {@code source}; returns by how many items the list has grown, since
     * rows that follow each other are one.
     */
    int addAll(Object[] source, int from, int to) {
        int before = size;
        reserve(from < to && source[to - 1] instanceof RowRange ? 1 : to - from);
        for (int i = from; i < to; i++) {
            add(source[i]);
        }
        return size - before;
    }

    private void reserve(int more) {
        int wanted = size + more;
        if (wanted > items.length) {
            // Mostly a list is filled by one command: then nothing is left over.
            items = Arrays.copyOf(items, size == 0 ? wanted : Math.max(wanted, size + size / 2 + 1));
        }
    }

    private void add(Object item) {
        if (item instanceof RowRange && size > 0 && items[size - 1] instanceof RowRange) {
            RowRange last = (RowRange) items[size - 1];
            RowRange next = (RowRange) item;
            if (last.isFollowedBy(next)) {
                items[size - 1] = last.and(next);
                return;
            }
        }
        reserve(1);
        items[size++] = item;
    }
}
