package dev.lacuna.core.allocator.expandable;

import dev.lacuna.core.allocator.block.BlockTable;
import java.util.Arrays;

/**
 * The maximal pieces without memory of one stream's virtual ranges, in order of address: rows of a {@link BlockTable}. There
 * are few: one behind each range, and one for each hole that a release of cached memory left.
 */
final class UnmappedPieces {
    private final BlockTable blocks;
    private int[] rows = new int[4];
    private int count;

    UnmappedPieces(BlockTable blocks) {
        this.blocks = blocks;
    }

    int count() {
        return count;
    }

    /** The piece at this place in the order of addresses. */
    int get(int i) {
        return rows[i];
    }

    void add(int b) {
        if (count == rows.length) {
            rows = Arrays.copyOf(rows, count * 2);
        }
        int at = place(blocks.offset(b));
        System.arraycopy(rows, at, rows, at + 1, count - at);
        rows[at] = b;
        count++;
    }

    void remove(int b) {
        int at = place(blocks.offset(b));
        count--;
        System.arraycopy(rows, at + 1, rows, at, count - at);
    }

    /** What is left above of a piece whose lower part was mapped takes its place. */
    void replace(int b, int rest) {
        rows[place(blocks.offset(b))] = rest;
    }

    /** Number of pieces at lower addresses. */
    private int place(long offset) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (blocks.offset(rows[middle]) < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
