package dev.lacuna.bridge.differential;

import dev.lacuna.bridge.hosted.HostedPlacement;
import dev.lacuna.core.base.counters.MemoryCounters;
import java.util.List;
import java.util.Optional;

/** One home of the algorithm. */
interface Home extends AutoCloseable {
    /** Runs commands; per command where its block lies: empty when it got none. */
    List<Optional<HostedPlacement>> run(List<Command> commands);

    /** The counters now. */
    MemoryCounters counters();

    @Override
    void close();
}
