package dev.lacuna.bridge.differential;

import dev.lacuna.bridge.hosted.Placement;
import dev.lacuna.core.memory.MemoryCounters;
import java.util.List;
import java.util.Optional;

/** One home of the algorithm. */
interface Home extends AutoCloseable {
    /** Runs commands; per command where its block lies: empty when it got none. */
    List<Optional<Placement>> run(List<Command> commands);

    /** The counters now. */
    MemoryCounters counters();

    @Override
    void close();
}
