package dev.lacuna.core.history.build;

import java.util.Arrays;

/**
 * A sorted map from unsigned addresses to small numbers, without an object per entry: chunks of sorted keys, found by their
 * first ones. Millions of changes among some ten thousand live entries are what it is made for.
 */
final class AddressMap {
    /** No such entry. */
    static final int NONE = -1;

    private static final int CHUNK = 256;

    /** Keys are kept with the sign flipped, so that signed order is unsigned order. */
    private long[][] keys = {new long[CHUNK]};

    private int[][] values = {new int[CHUNK]};
    private int[] sizes = {0};
    private int chunks = 1;
    private int size;

    int size() {
        return size;
    }

    /** The number at this address; NONE where there is none. */
    int get(long address) {
        long key = flipped(address);
        int c = chunk(key);
        int i = Arrays.binarySearch(keys[c], 0, sizes[c], key);
        return i < 0 ? NONE : values[c][i];
    }

    /** Sets the number at this address, ≥ 0; returns the one before, or NONE. */
    int put(long address, int value) {
        long key = flipped(address);
        int c = chunk(key);
        int i = Arrays.binarySearch(keys[c], 0, sizes[c], key);
        if (i >= 0) {
            int before = values[c][i];
            values[c][i] = value;
            return before;
        }
        if (sizes[c] == CHUNK) {
            split(c);
            return put(address, value);
        }
        int at = -i - 1;
        System.arraycopy(keys[c], at, keys[c], at + 1, sizes[c] - at);
        System.arraycopy(values[c], at, values[c], at + 1, sizes[c] - at);
        keys[c][at] = key;
        values[c][at] = value;
        sizes[c]++;
        size++;
        return NONE;
    }

    /** Removes the entry of this address; returns its number, or NONE. */
    int remove(long address) {
        long key = flipped(address);
        int c = chunk(key);
        int i = Arrays.binarySearch(keys[c], 0, sizes[c], key);
        if (i < 0) {
            return NONE;
        }
        int before = values[c][i];
        sizes[c]--;
        size--;
        System.arraycopy(keys[c], i + 1, keys[c], i, sizes[c] - i);
        System.arraycopy(values[c], i + 1, values[c], i, sizes[c] - i);
        if (sizes[c] == 0 && chunks > 1) {
            drop(c);
        }
        return before;
    }

    /** The lowest address above this one, or {@code otherwise} where there is none below that. */
    long nextAbove(long address, long otherwise) {
        long key = flipped(address);
        int c = chunk(key);
        int i = Arrays.binarySearch(keys[c], 0, sizes[c], key);
        int at = i >= 0 ? i + 1 : -i - 1;
        if (at == sizes[c]) {
            c++;
            at = 0;
        }
        if (c >= chunks || sizes[c] == 0) {
            return otherwise;
        }
        long next = flipped(keys[c][at]);
        return Long.compareUnsigned(next, otherwise) < 0 ? next : otherwise;
    }

    /** The chunk whose range the key lies in. */
    private int chunk(long key) {
        int low = 0;
        int high = chunks - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (keys[middle][0] <= key) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private void split(int c) {
        if (chunks == sizes.length) {
            keys = Arrays.copyOf(keys, chunks * 2);
            values = Arrays.copyOf(values, chunks * 2);
            sizes = Arrays.copyOf(sizes, chunks * 2);
        }
        System.arraycopy(keys, c + 1, keys, c + 2, chunks - c - 1);
        System.arraycopy(values, c + 1, values, c + 2, chunks - c - 1);
        System.arraycopy(sizes, c + 1, sizes, c + 2, chunks - c - 1);
        int half = CHUNK / 2;
        keys[c + 1] = new long[CHUNK];
        values[c + 1] = new int[CHUNK];
        System.arraycopy(keys[c], half, keys[c + 1], 0, CHUNK - half);
        System.arraycopy(values[c], half, values[c + 1], 0, CHUNK - half);
        sizes[c] = half;
        sizes[c + 1] = CHUNK - half;
        chunks++;
    }

    private void drop(int c) {
        System.arraycopy(keys, c + 1, keys, c, chunks - c - 1);
        System.arraycopy(values, c + 1, values, c, chunks - c - 1);
        System.arraycopy(sizes, c + 1, sizes, c, chunks - c - 1);
        chunks--;
    }

    private static long flipped(long address) {
        return address ^ Long.MIN_VALUE;
    }
}
