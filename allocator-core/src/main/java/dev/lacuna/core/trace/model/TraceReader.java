package dev.lacuna.core.trace.model;

import java.io.IOException;
import java.io.InputStream;

/** Reads one format of traces. Stateless. */
public interface TraceReader {
    /** What the format is called in messages and options. */
    String format();

    /**
     * Whether this reader is the one for this content.
     *
     * @param head the first characters of the input, at most 4096
     */
    boolean recognises(String head);

    /**
     * Reads the whole input.
     *
     * @throws java.io.EOFException when it is packed and ends early
     * @throws TraceFormatException when the content is not what the format asks for
     */
    AllocationTrace read(InputStream in) throws IOException;

    /**
     * Reads the input bit by bit; the cursor closes it. A format that makes sense only as a whole is read at once. Of an input that
     * ends early the cursor may hand out what was whole before, see {@link TraceCursor#truncated}.
     *
     * @throws TraceFormatException when the content is not what the format asks for, now or as the cursor goes
     */
    default TraceCursor open(InputStream in) throws IOException {
        try (in) {
            return read(in).open();
        }
    }
}
