package dev.lacuna.core.trace.snapshot.pickle;

import java.util.Arrays;

/**
 * The working stack of a pickle machine with its marks. Every access is checked: a pickle that takes more than it has put gets
 * an exception that names the byte.
 */
public final class PickleStack {
    private static final long UNSET_POSITION = -1;

    /** A value on the stack: a reference, and a number behind it at most. */
    private static final int SLOT_BYTES = Budget.REFERENCE_BYTES + Budget.NUMBER_BYTES;

    private final Budget budget;
    private final int nesting;
    private final PickleMemo memo;
    private Object[] values = new Object[64];
    private int size;
    private int[] marks = new int[16];
    private int markCount;

    /** Values below belong to a container that is open. */
    private int floor;

    private long position = UNSET_POSITION;

    public PickleStack(SnapshotLimits limits, Budget budget) {
        this.budget = budget;
        this.nesting = limits.nesting();
        this.memo = new PickleMemo(budget);
    }

    /** What follows is done for the command at this byte. */
    void at(long commandPosition) {
        position = commandPosition;
    }

    public long position() {
        return position;
    }

    int size() {
        return size;
    }

    void push(Object value) throws SnapshotFormatException {
        if (size == values.length) {
            budget.charge((long) size * SLOT_BYTES, position);
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = value;
    }

    Object pop() throws SnapshotFormatException {
        if (size == floor) {
            throw malformed();
        }
        size--;
        return values[size];
    }

    Object top() throws SnapshotFormatException {
        if (size == floor) {
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
        floor = size;
    }

    boolean hasMark() {
        return markCount > 0;
    }

    /** Removes the last mark; returns where it lay: values from there on came after it. */
    int unmark() throws SnapshotFormatException {
        if (markCount == 0) {
            throw malformed();
        }
        int from = marks[--markCount];
        floor = markCount == 0 ? 0 : marks[markCount - 1];
        return from;
    }

    /** The values themselves: those below {@link #size} are on the stack. */
    Object[] values() {
        return values;
    }

    /** The value just below {@code from}, to which those above belong. */
    Object below(int from) throws SnapshotFormatException {
        if (from - 1 < floor) {
            throw malformed();
        }
        return values[from - 1];
    }

    /** Removes the values from {@code from} on and returns them. */
    Object[] takeFrom(int from) {
        Object[] out = Arrays.copyOfRange(values, from, size);
        dropFrom(from);
        return out;
    }

    /** Removes the last {@code count} values and returns them. */
    Object[] take(int count) throws SnapshotFormatException {
        if (size - floor < count) {
            throw malformed();
        }
        return takeFrom(size - count);
    }

    /** Removes the values from {@code from} on. What they were is overwritten by what comes next, which is soon. */
    void dropFrom(int from) {
        size = from;
    }

    /** Keeps the topmost value under the next number. */
    void memoize() throws SnapshotFormatException {
        put(memo.next());
    }

    /** Keeps the topmost value under this number. */
    void put(long number) throws SnapshotFormatException {
        if (!memo.put(number, top(), position)) {
            throw malformed();
        }
    }

    /** Pushes the value kept under this number. */
    void get(long number) throws SnapshotFormatException {
        if (!memo.has(number)) {
            throw malformed();
        }
        push(memo.get((int) number));
    }

    /** Puts what a container has become in its place in the memo. */
    public void settle(PickleContainer container, Object settled) {
        memo.settle(container, settled);
    }

    SnapshotFormatException malformed() {
        return new SnapshotFormatException(SnapshotProblem.MALFORMED, position, "");
    }
}
