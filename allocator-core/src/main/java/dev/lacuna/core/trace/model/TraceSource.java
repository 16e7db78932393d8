package dev.lacuna.core.trace.model;

import java.io.IOException;
import java.util.Optional;

/** A trace that can be read more than once, in bounded memory however long it is. */
@FunctionalInterface
public interface TraceSource {
    /** Starts one reading. */
    TraceCursor open() throws IOException;

    /** The whole trace in memory, each of its blocks with a number of its own. */
    default AllocationTrace whole() throws IOException {
        return AllocationTrace.of(open());
    }

    /** The same trace, kept in memory when it has at most this many rows: later readings cost nothing then. */
    default TraceSource keptUpTo(int rows) throws IOException {
        Optional<AllocationTrace> kept = AllocationTrace.ofAtMost(rows, open());
        return kept.isPresent() ? kept.get() : this;
    }
}
