package dev.lacuna.core.allocator.mindspeed;

import java.util.Arrays;

/**
 * What was requested in one run (a forward pass or a step), and what of it survived the run. Sizes are named by their
 * {@link SizeNumbers number}.
 */
final class RunRecords {
    private SizeRecords[] bySize = new SizeRecords[64];
    private int[] sizes = new int[64];
    private int sizeCount;
    private int count;

    /** A block of this size was handed out at this tick; returns the records of its size. */
    SizeRecords add(int tick, int size) {
        if (size >= bySize.length) {
            bySize = Arrays.copyOf(bySize, Math.max(size + 1, bySize.length * 2));
        }
        SizeRecords records = bySize[size];
        if (records == null) {
            records = new SizeRecords();
            bySize[size] = records;
            remember(size);
        }
        count += records.add(tick);
        return records;
    }

    /** The block handed out at that tick was freed, at tick {@code end}. */
    void ended(SizeRecords records, int tick, int end) {
        count += records.ended(tick, end);
    }

    /** What became of the nearest request of this size that came at or before this tick. */
    Fate fate(int size, int tick) {
        return size < bySize.length && bySize[size] != null ? bySize[size].fate(tick) : Fate.UNKNOWN;
    }

    /** Number of records. */
    int count() {
        return count;
    }

    /** How many sizes were requested. */
    int sizeCount() {
        return sizeCount;
    }

    /** The number of the i-th of them. */
    int size(int i) {
        return sizes[i];
    }

    /** The records of a size that was requested. */
    SizeRecords of(int size) {
        return bySize[size];
    }

    /** Starts afresh; records that live blocks still point to stay as they are. */
    void clear() {
        for (int i = 0; i < sizeCount; i++) {
            bySize[sizes[i]] = null;
        }
        sizeCount = 0;
        count = 0;
    }

    private void remember(int size) {
        if (sizeCount == sizes.length) {
            sizes = Arrays.copyOf(sizes, sizeCount * 2);
        }
        sizes[sizeCount++] = size;
    }
}
