package dev.lacuna.core.planning.online.program;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lacuna.core.base.file.FileHead;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads the logs of the DTR prototype: one JSON object a line, {@code CONSTANT}, {@code MEMORY}, {@code CALL},
 * {@code ALIAS}, {@code COPY}, {@code COPY_FROM}, {@code RELEASE}, {@code MUTATE} and {@code ANNOTATE}.
 * What stands before the annotation {@code START} is left out where there is one.
 */
public final class DtrLogReader {
    /** The authors' longest log has 49,000 lines. */
    private static final int MOST_LINES = 2_000_000;
    /** One call with thousands of arguments. */
    private static final int LONGEST_LINE = 1 << 20;
    /** All that is unpacked: a gzip file of 1 MB can hold 1 GB. */
    private static final long MOST_CHARACTERS = 1L << 29;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final InputStream in;
    private final byte[] line = new byte[LONGEST_LINE];
    private long characters;
    private int number;

    private DtrLogReader(InputStream in) {
        this.in = in;
    }

    /** Whether content that begins like this is such a log. */
    public static boolean recognises(FileHead head) {
        return head.firstLine()
                .filter(line -> line.startsWith("{") && line.contains("\"INSTRUCTION\""))
                .isPresent();
    }

    /**
     * The program of an unpacked log; the stream is left open.
     *
     * @throws IOException when it cannot be read, is no such log, is damaged or is too large; the message names the line
     */
    public static OperatorProgram read(InputStream in) throws IOException {
        return new DtrLogReader(in).program();
    }

    /** What is wrong before the start is no fault where there is one: none of it is used. */
    private OperatorProgram program() throws IOException {
        DtrLogProgram program = new DtrLogProgram();
        Optional<IOException> fault = Optional.empty();
        boolean started = false;
        for (JsonNode each = next(); each != null && !(started && fault.isPresent()); each = next()) {
            if (!started && DtrLogProgram.starts(each)) {
                started = true;
                fault = Optional.empty();
                program = new DtrLogProgram();
            } else if (fault.isEmpty()) {
                fault = add(program, each);
            }
        }
        if (fault.isPresent()) {
            throw fault.get();
        }
        try {
            return program.finish();
        } catch (IllegalArgumentException e) {
            throw new IOException(number + ": " + e.getMessage(), e);
        }
    }

    private Optional<IOException> add(DtrLogProgram program, JsonNode each) {
        try {
            program.add(each);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(new IOException(number + ": " + e.getMessage(), e));
        }
    }

    /** The next line that is not blank; null at the end. */
    private JsonNode next() throws IOException {
        while (true) {
            int length = readLine();
            if (length < 0) {
                return null;
            }
            if (++number > MOST_LINES) {
                throw new IOException("more than " + MOST_LINES + " lines");
            }
            String text = new String(line, 0, length, StandardCharsets.UTF_8);
            if (text.isBlank()) {
                continue;
            }
            try {
                return JSON.readTree(text);
            } catch (JsonProcessingException e) {
                throw new IOException(number + ": " + e.getOriginalMessage(), e);
            }
        }
    }

    private int readLine() throws IOException {
        int length = 0;
        int read = in.read();
        if (read < 0) {
            return -1;
        }
        while (read >= 0 && read != '\n') {
            if (length == LONGEST_LINE || ++characters > MOST_CHARACTERS) {
                throw new IOException((number + 1) + ": the line, or the log up to it, is too long");
            }
            line[length++] = (byte) read;
            read = in.read();
        }
        return length;
    }
}
