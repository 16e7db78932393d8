package dev.lacuna.core.trace.snapshot.model;

import java.util.Arrays;

/** A column of numbers that grows. */
final class LongColumn {
    private long[] values = new long[64];
    private int size;

    void add(long value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = value;
    }

    int size() {
        return size;
    }

    long[] toArray() {
        return Arrays.copyOf(values, size);
    }
}
