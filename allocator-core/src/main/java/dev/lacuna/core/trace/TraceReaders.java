package dev.lacuna.core.trace;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** Every reader there is; the one for an input is chosen by its content, never by its name. */
public final class TraceReaders {
    private static final int HEAD_BYTES = 4096;
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final byte[] GZIP_MAGIC = {0x1f, (byte) 0x8b};

    private static final List<TraceReader> ALL =
            List.of(new CsvTraceReader(), new SnapshotTraceReader(), new TextTraceReader());

    private TraceReaders() {}

    /**
     * Reads a trace.
     *
     * @throws TraceFormatException when no reader knows the content, or the one that does cannot make sense of it
     * @throws dev.lacuna.core.snapshot.SnapshotFormatException when it is a memory snapshot that makes no sense
     * @throws IOException when the file cannot be read
     */
    public static AllocationTrace read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return read(in);
        }
    }

    /** Reads a trace from a stream, to its end; the stream is left open. */
    public static AllocationTrace read(InputStream input) throws IOException {
        InputStream in = unpacked(input);
        return readerOf(in, List.of()).read(in);
    }

    /**
     * Reads a trace bit by bit, packed with gzip or not; the cursor closes the stream.
     *
     * @throws TraceFormatException when no reader knows the content
     */
    public static TraceCursor open(InputStream input) throws IOException {
        return open(input, List.of());
    }

    /** The same where there are these readers too, which are asked first. */
    public static TraceCursor open(InputStream input, List<TraceReader> more) throws IOException {
        InputStream in = unpacked(input);
        return readerOf(in, more).open(in);
    }

    private static TraceReader readerOf(InputStream in, List<TraceReader> more) throws IOException {
        in.mark(HEAD_BYTES);
        byte[] bytes = in.readNBytes(HEAD_BYTES);
        String head = new String(bytes, StandardCharsets.UTF_8);
        in.reset();
        Optional<TraceReader> found = Stream.concat(more.stream(), ALL.stream())
                .filter(reader -> reader.recognises(head))
                .findFirst();
        if (found.isPresent()) {
            return found.get();
        }
        if (head.isBlank()) {
            throw new TraceFormatException(TraceProblem.EMPTY, 1, "");
        }
        if (Excerpt.isBinary(bytes)) {
            throw new TraceFormatException(TraceProblem.BINARY, 1, Excerpt.of(bytes));
        }
        String firstLine = head.strip().lines().findFirst().orElse("");
        throw new TraceFormatException(TraceProblem.UNKNOWN_FORMAT, 1, Excerpt.of(firstLine));
    }

    private static InputStream unpacked(InputStream input) throws IOException {
        InputStream in = new BufferedInputStream(input, BUFFER_BYTES);
        in.mark(GZIP_MAGIC.length);
        boolean packed = Arrays.equals(in.readNBytes(GZIP_MAGIC.length), GZIP_MAGIC);
        in.reset();
        return packed ? new BufferedInputStream(new GZIPInputStream(in, BUFFER_BYTES), BUFFER_BYTES) : in;
    }
}
