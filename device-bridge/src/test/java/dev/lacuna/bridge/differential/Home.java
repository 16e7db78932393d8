package dev.lacuna.bridge.differential;

import dev.lacuna.core.memory.MemoryCounters;
import java.util.List;

/** One home of the algorithm. */
interface Home extends AutoCloseable {
    /** Runs commands; one outcome per command. */
    List<Spot> run(List<Command> commands);

    /** The counters now. */
    MemoryCounters counters();

    @Override
    void close();
}
