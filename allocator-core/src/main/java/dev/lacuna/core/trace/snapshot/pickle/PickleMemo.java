package dev.lacuna.core.trace.snapshot.pickle;

import dev.lacuna.core.trace.snapshot.model.EventColumns;
import java.util.Arrays;

/**
 * The values that a pickle keeps for later, by number. Writers keep nearly everything and ask for little of it again, so what
 * has been taken down as rows of columns keeps its row only: four bytes.
 */
final class PickleMemo {
    /** Writers number one by one; optimisers leave few gaps. */
    private static final int LARGEST_GAP = 1 << 16;

    private static final int CHUNK_BITS = 12;
    private static final int CHUNK = 1 << CHUNK_BITS;
    private static final int CHUNK_BYTES = CHUNK * (Budget.REFERENCE_BYTES + Integer.BYTES);

    /** Stands for a row of {@link EventColumns}. */
    private static final Object ROW = new Object();

    private static final Object[] NO_VALUES = {};

    private final Budget budget;
    private Object[][] values = new Object[16][];
    private int[][] rows = new int[16][];
    private int count;

    PickleMemo(Budget budget) {
        this.budget = budget;
        Arrays.fill(values, NO_VALUES);
    }

    /** The number that a value gets which is kept without one. */
    int next() {
        return count;
    }

    /** Keeps a value; false where the number is none that a writer would come to now. */
    boolean put(long number, Object value, long position) throws SnapshotFormatException {
        if (number < 0 || number > count + (long) LARGEST_GAP || number > Integer.MAX_VALUE - CHUNK) {
            return false;
        }
        int place = (int) number;
        Object[] chunk = chunk(place >>> CHUNK_BITS, position);
        int i = place & CHUNK - 1;
        if (chunk[i] == null) {
            count++;
        }
        chunk[i] = value;
        if (value instanceof PickleContainer) {
            ((PickleContainer) value).keptAt(place);
        }
        return true;
    }

    /** Whether there is a value under this number. */
    boolean has(long number) {
        int c = number < 0 || number >= (long) values.length << CHUNK_BITS ? -1 : (int) (number >>> CHUNK_BITS);
        return c >= 0 && values[c].length > 0 && values[c][(int) number & CHUNK - 1] != null;
    }

    /** The value under this number, which there is. */
    Object get(int number) {
        Object value = values[number >>> CHUNK_BITS][number & CHUNK - 1];
        if (value == ROW) {
            int row = rows[number >>> CHUNK_BITS][number & CHUNK - 1];
            return new RowRange(row, row + 1);
        }
        return value;
    }

    /** Puts what a container has become in its place. */
    void settle(PickleContainer container, Object settled) {
        int place = container.place();
        if (place == PickleContainer.UNKEPT || values[place >>> CHUNK_BITS][place & CHUNK - 1] != container) {
            return;
        }
        if (settled instanceof RowRange) {
            rows[place >>> CHUNK_BITS][place & CHUNK - 1] = ((RowRange) settled).from();
            values[place >>> CHUNK_BITS][place & CHUNK - 1] = ROW;
        } else {
            values[place >>> CHUNK_BITS][place & CHUNK - 1] = settled;
        }
    }

    private Object[] chunk(int c, long position) throws SnapshotFormatException {
        if (c >= values.length) {
            int before = values.length;
            values = Arrays.copyOf(values, Math.max(c + 1, before * 2));
            rows = Arrays.copyOf(rows, values.length);
            Arrays.fill(values, before, values.length, NO_VALUES);
        }
        if (values[c].length == 0) {
            budget.charge(CHUNK_BYTES, position);
            values[c] = new Object[CHUNK];
            rows[c] = new int[CHUNK];
        }
        return values[c];
    }
}
