package dev.lacuna.core.trace.snapshot.model;

import java.util.Arrays;

/** A column of small numbers that grows. */
final class IntColumn {
    private int[] values = new int[64];
    private int size;

    void add(int value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = value;
    }

    int size() {
        return size;
    }

    int[] toArray() {
        return Arrays.copyOf(values, size);
    }
}
