package dev.lacuna.core.allocator.mindspeed;

import java.util.Arrays;

/** Small numbers for the sizes met so far, counted from 0: they index what is known of each size. */
final class SizeNumbers {
    private static final int NONE = -1;

    private long[] sizes = new long[256];
    private int[] numbers = filled(256);
    private int count;

    // A request asks for its size's number up to twice in a row.
    private long latestSize = NONE;
    private int latestNumber = NONE;

    /** The number of this size, ≥ 0; a new one when it was not met before. */
    int of(long size) {
        if (size != latestSize) {
            int slot = slot(size);
            if (numbers[slot] == NONE) {
                slot = enter(slot, size);
            }
            latestSize = size;
            latestNumber = numbers[slot];
        }
        return latestNumber;
    }

    private int enter(int free, long size) {
        int slot = free;
        if (count * 2 == numbers.length) {
            grow();
            slot = slot(size);
        }
        sizes[slot] = size;
        numbers[slot] = count++;
        return slot;
    }

    /** Where the size is, or the free slot where it belongs. */
    private int slot(long size) {
        int mask = numbers.length - 1;
        int slot = (int) (size * 0x9E3779B97F4A7C15L >>> 32) & mask;
        while (numbers[slot] != NONE && sizes[slot] != size) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldSizes = sizes;
        int[] oldNumbers = numbers;
        sizes = new long[oldSizes.length * 2];
        numbers = filled(oldNumbers.length * 2);
        for (int i = 0; i < oldNumbers.length; i++) {
            if (oldNumbers[i] != NONE) {
                int slot = slot(oldSizes[i]);
                sizes[slot] = oldSizes[i];
                numbers[slot] = oldNumbers[i];
            }
        }
    }

    private static int[] filled(int length) {
        int[] numbers = new int[length];
        Arrays.fill(numbers, NONE);
        return numbers;
    }
}
