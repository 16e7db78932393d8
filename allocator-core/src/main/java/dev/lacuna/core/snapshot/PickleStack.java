package dev.lacuna.core.snapshot;

import java.util.Arrays;

/**
 * The working stack of a pickle machine with its marks, and the memo of values kept for later. Every access is checked: a
 * pickle that takes more than it has put gets an exception that names the byte.
 */
final class PickleStack {
    private static final long UNSET_POSITION = -1;

    /** Writers number the memo one by one; optimisers leave few gaps. */
    private static final int LARGEST_MEMO_GAP = 1 << 16;

    private final Budget budget;
    private final int nesting;
    private Object[] values = new Object[64];
    private int size;
    private int[] marks = new int[16];
    private int markCount;
    private Object[] memo = new Object[1024];
    private int memoCount;
    private long position = UNSET_POSITION;

    PickleStack(SnapshotLimits limits, Budget budget) {
        this.budget = budget;
        this.nesting = limits.nesting();
    }

    /** What follows is done for the command at this byte. */
    void at(long commandPosition) {
        position = commandPosition;
    }

    long position() {
        return position;
    }

    int size() {
        return size;
    }

    void push(Object value) throws SnapshotFormatException {
        if (size == values.length) {
            budget.charge((long) size * Budget.REFERENCE_BYTES, position);
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = value;
    }

    Object pop() throws SnapshotFormatException {
        if (size == floor()) {
            throw malformed();
        }
        size--;
        Object value = values[size];
        values[size] = null;
        return value;
    }

    Object top() throws SnapshotFormatException {
        if (size == floor()) {
            throw malformed();
        }
        return values[size - 1];
    }

    void mark() throws SnapshotFormatException {
        if (markCount == nesting) {
            throw new SnapshotFormatException(SnapshotProblem.TOO_DEEP, position, "");
        }
        if (markCount == marks.length) {
            marks = Arrays.copyOf(marks, markCount * 2);
        }
        marks[markCount++] = size;
    }

    boolean hasMark() {
        return markCount > 0;
    }

    /** Removes the last mark; returns where it lay: values from there on came after it. */
    int unmark() throws SnapshotFormatException {
        if (markCount == 0) {
            throw malformed();
        }
        return marks[--markCount];
    }

    /** The values themselves: those below {@link #size} are on the stack. */
    Object[] values() {
        return values;
    }

    /** The value just below {@code from}, to which those above belong. */
    Object below(int from) throws SnapshotFormatException {
        if (from - 1 < floor()) {
            throw malformed();
        }
        return values[from - 1];
    }

    /** Removes the values from {@code from} on and returns them. */
    Object[] takeFrom(int from) throws SnapshotFormatException {
        budget.charge((long) (size - from) * Budget.REFERENCE_BYTES, position);
        Object[] out = Arrays.copyOfRange(values, from, size);
        dropFrom(from);
        return out;
    }

    /** Removes the last {@code count} values and returns them. */
    Object[] take(int count) throws SnapshotFormatException {
        if (size - floor() < count) {
            throw malformed();
        }
        return takeFrom(size - count);
    }

    void dropFrom(int from) {
        Arrays.fill(values, from, size, null);
        size = from;
    }

    /** Keeps the topmost value under the next number. */
    void memoize() throws SnapshotFormatException {
        put(memoCount);
    }

    /** Keeps the topmost value under this number. */
    void put(long number) throws SnapshotFormatException {
        Object value = top();
        if (number < 0 || number > memoCount + (long) LARGEST_MEMO_GAP) {
            throw malformed();
        }
        int slot = (int) number;
        if (slot >= memo.length) {
            int length = Math.max(slot + 1, memo.length * 2);
            budget.charge((long) (length - memo.length) * Budget.REFERENCE_BYTES, position);
            memo = Arrays.copyOf(memo, length);
        }
        if (memo[slot] == null) {
            memoCount++;
        }
        memo[slot] = value;
    }

    /** The value kept under this number. */
    Object get(long number) throws SnapshotFormatException {
        Object value = number >= 0 && number < memo.length ? memo[(int) number] : null;
        if (value == null) {
            throw malformed();
        }
        return value;
    }

    SnapshotFormatException malformed() {
        return new SnapshotFormatException(SnapshotProblem.MALFORMED, position, "");
    }

    private int floor() {
        return markCount == 0 ? 0 : marks[markCount - 1];
    }
}
