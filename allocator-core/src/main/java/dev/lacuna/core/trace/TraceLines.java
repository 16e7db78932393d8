package dev.lacuna.core.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The lines of a trace, numbered from 1, of bounded length; a byte order mark and carriage returns are dropped. */
final class TraceLines {
    /** Far longer than any line of a trace, its expected out-of-memory message included. */
    private static final int LONGEST = 64 * 1024;

    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final InputStream in;
    private final byte[] buffer = new byte[64 * 1024];
    private final byte[] line = new byte[LONGEST];
    private int at;
    private int end;
    private long number;

    TraceLines(InputStream in) {
        this.in = in;
    }

    /** Number of the line returned last. */
    long number() {
        return number;
    }

    /** The next line without its end, empty at the end of the input. */
    Optional<String> next() throws IOException {
        if (at == end && !fill()) {
            return Optional.empty();
        }
        number++;
        int length = 0;
        while (at < end || fill()) {
            byte b = buffer[at++];
            if (b == '\n') {
                break;
            }
            if (length == LONGEST) {
                throw failure(TraceProblem.LINE_TOO_LONG, Integer.toString(LONGEST));
            }
            line[length++] = b;
        }
        if (length > 0 && line[length - 1] == '\r') {
            length--;
        }
        String text = new String(line, 0, length, StandardCharsets.UTF_8);
        return Optional.of(number == 1 && text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text);
    }

    /** A complaint about the line returned last. */
    TraceFormatException failure(TraceProblem problem, String detail) {
        return new TraceFormatException(problem, number, Excerpt.of(detail));
    }

    private boolean fill() throws IOException {
        at = 0;
        end = Math.max(0, in.read(buffer));
        return end > 0;
    }
}
