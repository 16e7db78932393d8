package dev.lacuna.core.trace;

import java.io.Closeable;
import java.io.IOException;
import java.util.OptionalLong;

/** One reading of a trace from its first row to its last. Not thread-safe. */
public interface TraceCursor extends Closeable {
    /**
     * Fills a chunk with the next rows, replacing what it held.
     *
     * @return false at the end of the trace; the chunk is empty then
     * @throws TraceFormatException when the content is not what the format asks for
     */
    boolean next(TraceChunk chunk) throws IOException;

    /** Capacity of the recorded device in bytes, known once the first chunk was asked for; empty when it does not say. */
    OptionalLong totalBytes();

    @Override
    void close() throws IOException;
}
