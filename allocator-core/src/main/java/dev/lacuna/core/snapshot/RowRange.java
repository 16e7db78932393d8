package dev.lacuna.core.snapshot;

/**
 * Trace entries that have been taken down in {@link EventColumns}, in the place of their dictionaries.
 *
 * @param from first row
 * @param to row after the last
 */
record RowRange(int from, int to) {
    int size() {
        return to - from;
    }

    boolean isFollowedBy(RowRange next) {
        return to == next.from;
    }

    RowRange and(RowRange next) {
        return new RowRange(from, next.to);
    }
}
