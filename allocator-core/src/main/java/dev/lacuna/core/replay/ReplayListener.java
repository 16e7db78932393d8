package dev.lacuna.core.replay;

import dev.lacuna.core.pool.Allocator;
import dev.lacuna.core.pool.Outcome;

/** Watches a replay row by row: for placements, timelines, pictures. */
@FunctionalInterface
public interface ReplayListener {
    /** Watches nothing. */
    ReplayListener NONE = (row, outcome, allocator) -> {};

    /**
     * A row was replayed.
     *
     * @param row its number in the trace
     * @param outcome how a request ended; {@link Outcome#EMPTY} for every other row
     * @param allocator the allocator after the row; ask it, do not change it
     */
    void onRow(int row, Outcome outcome, Allocator allocator);
}
