package dev.lacuna.ui.places.whatif;

import dev.lacuna.core.trace.model.TraceSource;
import java.io.IOException;
import java.util.List;
import java.util.function.DoubleConsumer;

/** Where traces come from. Called off the UI thread. */
public interface TraceFiles {
    /**
     * The trace at this path; each reading of it tells how far it is.
     *
     * @param progress called with 0 to 1 by whoever reads, not too often; with -1 where work of unknown length follows
     * @throws IOException when there is no such file, or it is none that can be read again
     */
    TraceSource open(String path, DoubleConsumer progress) throws IOException;

    /** A short trace that comes with the program. */
    TraceSource example();

    /** What names of traces end in, such as {@code .csv}; none where it does not matter. */
    default List<String> endings() {
        return List.of();
    }
}
