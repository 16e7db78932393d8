package dev.lacuna.core.allocator.block;

import static dev.lacuna.core.allocator.block.BlockTable.NONE;

import java.util.Arrays;

/** The rows of live blocks by the ids that callers gave them. */
public final class RowsById {
    private int[] rows = new int[256];

    /** The row of the live block of this id, or NONE. */
    public int row(int id) {
        return id < rows.length ? rows[id] : NONE;
    }

    /** @throws IllegalStateException when a block of this id is live */
    public void requireUnused(int id) {
        if (row(id) != NONE) {
            throw new IllegalStateException("block " + id + " is live already");
        }
    }

    public void name(int id, int block) {
        if (id >= rows.length) {
            rows = Arrays.copyOf(rows, Math.max(id + 1, rows.length * 2));
        }
        rows[id] = block;
    }

    public void forget(int id) {
        rows[id] = NONE;
    }
}
