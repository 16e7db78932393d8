package dev.lacuna.core.replay;

import dev.lacuna.core.allocator.model.Allocator;
import dev.lacuna.core.allocator.model.Outcome;
import dev.lacuna.core.trace.model.TraceChunk;
import java.util.OptionalLong;

/** Watches a replay row by row: for placements, timelines, pictures. */
@FunctionalInterface
public interface ReplayListener {
    /** Watches nothing. */
    ReplayListener NONE = (rows, row, outcome, allocator) -> {};

    /**
     * The replay begins.
     *
     * @param recordedBytes the capacity that the trace tells, in bytes
     */
    default void onStart(OptionalLong recordedBytes) {}

    /**
     * A row was replayed.
     *
     * @param rows the rows that are being replayed; they change after the last of them
     * @param row its number among these
     * @param outcome how a request ended; {@link Outcome#EMPTY} for every other row
     * @param allocator the allocator after the row; ask it, do not change it
     */
    void onRow(TraceChunk rows, int row, Outcome outcome, Allocator allocator);
}
