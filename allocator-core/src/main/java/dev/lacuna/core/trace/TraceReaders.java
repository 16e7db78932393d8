package dev.lacuna.core.trace;

import dev.lacuna.core.base.Registered;
import dev.lacuna.core.base.file.FileHead;
import dev.lacuna.core.trace.csv.CsvTraceReader;
import dev.lacuna.core.trace.line.Excerpt;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.model.TraceCursor;
import dev.lacuna.core.trace.model.TraceFormatException;
import dev.lacuna.core.trace.model.TraceProblem;
import dev.lacuna.core.trace.model.TraceReader;
import dev.lacuna.core.trace.snapshot.SnapshotTraceReader;
import dev.lacuna.core.trace.text.TextTraceReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Every format of traces there is; the one for an input is chosen by its content, never by its name. What is listed here is replayed, opened
 * as a recording, found among dropped files and offered where files are chosen.
 */
public final class TraceReaders {
    private static final List<TraceReader> ALL =
            Registered.of(TraceReader.class, new CsvTraceReader(), new SnapshotTraceReader(), new TextTraceReader());

    private TraceReaders() {}

    /** All of them, in the order in which they are asked. */
    public static List<TraceReader> all() {
        return ALL;
    }

    /** Whether content that begins like this is a trace for certain, to one of all readers or of these. */
    public static boolean recognises(FileHead head, List<TraceReader> more) {
        return readers(more).anyMatch(reader -> reader.recognises(head));
    }

    private static Stream<TraceReader> readers(List<TraceReader> more) {
        return Stream.concat(more.stream(), ALL.stream());
    }

    /**
     * Reads a whole trace.
     *
     * @throws java.io.EOFException when it is packed and ends early
     * @throws TraceFormatException when no reader knows the content, or the one that does cannot make sense of it
     * @throws dev.lacuna.core.trace.snapshot.pickle.SnapshotFormatException when it is a memory snapshot that makes no sense
     * @throws IOException when the file cannot be read
     */
    public static AllocationTrace read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return read(in);
        }
    }

    /** Reads a trace from a stream, to its end; the stream is left open. */
    public static AllocationTrace read(InputStream input) throws IOException {
        return read(input, List.of());
    }

    /** The same where there are these readers too, which are asked first. */
    public static AllocationTrace read(InputStream input, List<TraceReader> more) throws IOException {
        InputStream in = PackedInput.unpacked(input);
        return readerOf(in, more).read(in);
    }

    /**
     * Reads a trace bit by bit, packed with gzip or not; the cursor closes the stream. Of one that ends early it hands out what
     * was whole before.
     *
     * @throws TraceFormatException when no reader knows the content
     */
    public static TraceCursor open(InputStream input) throws IOException {
        return open(input, List.of());
    }

    /** The same where there are these readers too, which are asked first. */
    public static TraceCursor open(InputStream input, List<TraceReader> more) throws IOException {
        InputStream in = PackedInput.unpacked(input);
        return readerOf(in, more).open(in);
    }

    private static TraceReader readerOf(InputStream in, List<TraceReader> more) throws IOException {
        FileHead head = PackedInput.head(in);
        Optional<TraceReader> found =
                readers(more).filter(reader -> reader.recognises(head)).findFirst();
        if (found.isPresent()) {
            return found.get();
        }
        if (TextTraceReader.resembles(head)) {
            return new TextTraceReader();
        }
        if (head.text().isBlank()) {
            throw new TraceFormatException(TraceProblem.EMPTY, 1, "");
        }
        if (Excerpt.isBinary(head.bytes())) {
            throw new TraceFormatException(TraceProblem.BINARY, 1, Excerpt.of(head.bytes()));
        }
        throw new TraceFormatException(
                TraceProblem.UNKNOWN_FORMAT, 1, Excerpt.of(head.firstLine().orElse("")));
    }
}
