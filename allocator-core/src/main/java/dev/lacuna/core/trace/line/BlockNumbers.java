package dev.lacuna.core.trace.line;

import java.util.Arrays;

/**
 * Which block number a 64-bit name stands for while that block is live: open addressing over primitive columns, because
 * this is looked up once per event of a trace. Numbers are given out from 0 and used again after a free, last freed first.
 *
 * <p>Invariant: no entry lies behind a hole between its home and itself, so that a search may stop at the first hole.
 */
public final class BlockNumbers {
    /** What {@link #born} and {@link #freed} return when the name is, or is not, live. */
    public static final int REFUSED = -1;

    private static final int HOLE = 0;
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private long[] names = new long[1024];

    /** Block number + 1; {@link #HOLE} where there is no entry. */
    private int[] entries = new int[1024];

    private int shift = Long.SIZE - 10;
    private int live;
    private final SpareNumbers numbers;

    public BlockNumbers(SpareNumbers numbers) {
        this.numbers = numbers;
    }

    /** The number of the block that has this name from now on, {@link #REFUSED} when one has it already. */
    public int born(long name) {
        int at = home(name);
        while (entries[at] != HOLE) {
            if (names[at] == name) {
                return REFUSED;
            }
            at = after(at);
        }
        int block = numbers.take();
        names[at] = name;
        entries[at] = block + 1;
        if (++live * 2 > entries.length) {
            grow();
        }
        return block;
    }

    /** The number of the block that had this name until now, {@link #REFUSED} when none had. */
    public int freed(long name) {
        int at = home(name);
        while (entries[at] != HOLE && names[at] != name) {
            at = after(at);
        }
        if (entries[at] == HOLE) {
            return REFUSED;
        }
        int block = entries[at] - 1;
        close(at);
        live--;
        numbers.giveBack(block);
        return block;
    }

    /** Moves later entries of the run into the hole, so that no search stops too early. */
    private void close(int hole) {
        int open = hole;
        for (int at = after(hole); entries[at] != HOLE; at = after(at)) {
            int distance = (at - home(names[at])) & (entries.length - 1);
            if (distance >= ((at - open) & (entries.length - 1))) {
                names[open] = names[at];
                entries[open] = entries[at];
                open = at;
            }
        }
        entries[open] = HOLE;
    }

    private void grow() {
        long[] oldNames = names;
        int[] oldEntries = entries;
        names = new long[oldNames.length * 2];
        entries = new int[oldEntries.length * 2];
        shift--;
        for (int i = 0; i < oldEntries.length; i++) {
            if (oldEntries[i] != HOLE) {
                int at = home(oldNames[i]);
                while (entries[at] != HOLE) {
                    at = after(at);
                }
                names[at] = oldNames[i];
                entries[at] = oldEntries[i];
            }
        }
    }

    private int home(long name) {
        return (int) ((name * SPREAD) >>> shift);
    }

    private int after(int at) {
        return (at + 1) & (entries.length - 1);
    }

    /** Numbers that no live block has. */
    public static final class SpareNumbers {
        private int[] spare = new int[256];
        private int spares;
        private int fresh;

        public int take() {
            if (spares > 0) {
                spares--;
                return spare[spares];
            }
            int number = fresh;
            fresh++;
            return number;
        }

        public void giveBack(int number) {
            if (spares == spare.length) {
                spare = Arrays.copyOf(spare, spares * 2);
            }
            spare[spares++] = number;
        }
    }
}
