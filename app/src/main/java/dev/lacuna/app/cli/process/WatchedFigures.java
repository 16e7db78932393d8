package dev.lacuna.app.cli.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.core.base.counters.MemoryCounters;
import java.io.IOException;

/** What watching makes of the samples that it has seen, to be told with each of them. */
interface WatchedFigures extends Watched {
    /** What stands above the lines for people. */
    String header();

    /** A line for people, of a sample that was added. */
    String row(MemoryCounters counters);

    /** The same of a device as members of a JSON object, null where nothing is known yet. */
    void write(JsonGenerator json, int device) throws IOException;
}
