package dev.lacuna.core.trace.model;

import dev.lacuna.core.base.event.OpeningMemory;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
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

    /**
     * What was held when the recording began, known once the first chunk was asked for; empty when the trace does not tell, or
     * began with nothing. The first rows ask for the blocks in it, so a reader who takes it over skips those.
     */
    default Optional<OpeningMemory> opening() {
        return Optional.empty();
    }

    /** Whether the input ended early, so that the rows are those that were whole before; known at the end of the trace. */
    default boolean truncated() {
        return false;
    }

    /** What of the input made no sense; known at the end of the trace. */
    default OddRows odd() {
        return OddRows.NONE;
    }

    @Override
    void close() throws IOException;
}
