package dev.lacuna.core.trace.model;

import dev.lacuna.core.base.file.FileHead;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** One format of traces: how its files are known, and what reads them. Stateless. */
public interface TraceReader {
    /** What the format is called in results. */
    String format();

    /** Whether content that begins like this is one of its. */
    boolean recognises(FileHead head);

    /** What names of its files end in, such as {@code .csv}: for choosing files, never for telling formats apart. */
    List<String> endings();

    /** Whether its rows tell times. */
    default boolean clocked() {
        return false;
    }

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
