package dev.lacuna.core.trace.snapshot.pickle;

/**
 * Rows of what a {@link Settler} keeps in columns, in the place of the dictionaries that they were.
 *
 * @param from first row
 * @param to row after the last
 */
public record RowRange(int from, int to) {
    public int size() {
        return to - from;
    }

    boolean isFollowedBy(RowRange next) {
        return to == next.from;
    }

    RowRange and(RowRange next) {
        return new RowRange(from, next.to);
    }
}
