package dev.lacuna.core.trace.line;

import dev.lacuna.core.trace.model.TraceFormatException;
import dev.lacuna.core.trace.model.TraceProblem;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * The lines of a trace as bytes, numbered from 1, of bounded length; a byte order mark and carriage returns are dropped. A
 * line is made a string only where somebody asks for one: most never are.
 */
public final class TraceLines {
    /** Far longer than any line of a trace, its expected out-of-memory message included. */
    private static final int LONGEST = 64 * 1024;

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final InputStream in;
    private final byte[] buffer = new byte[4 * LONGEST];

    /** The line returned last is {@code start ≤ i < end} of the buffer; what was read behind it, {@code next ≤ i < filled}. */
    private int start;

    private int end;
    private int next;
    private int filled;
    private long number;
    private boolean whole;
    private Optional<EOFException> early = Optional.empty();

    public TraceLines(InputStream in) {
        this.in = in;
    }

    /** Number of the line returned last. */
    long number() {
        return number;
    }

    /** Whether the line returned last ends as lines do, and not with the input. */
    public boolean whole() {
        return whole;
    }

    /** Where a packed file was cut: what its last line began with is no line. */
    public Optional<EOFException> endedEarly() {
        return early;
    }

    /** Goes to the next line; false at the end of the input. */
    public boolean advance() throws IOException {
        if (next == filled && !fill()) {
            return false;
        }
        number++;
        int at = next;
        while (buffer[at] != '\n') {
            if (at - next >= LONGEST) {
                throw failure(TraceProblem.LINE_TOO_LONG, Integer.toString(LONGEST));
            }
            if (++at == filled) {
                int length = at - next;
                boolean more = fill();
                at = next + length;
                if (!more && early.isPresent()) {
                    next = filled;
                    return false;
                }
                if (!more) {
                    break;
                }
            }
        }
        whole = at < filled;
        start = next;
        end = at > start && buffer[at - 1] == '\r' ? at - 1 : at;
        next = Math.min(filled, at + 1);
        if (number == 1 && Arrays.equals(buffer, start, Math.min(end, start + 3), BYTE_ORDER_MARK, 0, 3)) {
            start += BYTE_ORDER_MARK.length;
        }
        return true;
    }

    /** Where the bytes of the line returned last lie, until the next one is asked for. */
    public byte[] bytes() {
        return buffer;
    }

    /** Index of its first byte. */
    public int start() {
        return start;
    }

    /** Index behind its last byte. */
    public int end() {
        return end;
    }

    /** Its text. */
    public String text() {
        return text(start, end);
    }

    /** The text of a part of it. */
    public String text(int from, int to) {
        return new String(buffer, from, to - from, StandardCharsets.UTF_8);
    }

    /** A complaint about it. */
    public TraceFormatException failure(TraceProblem problem, String detail) {
        return new TraceFormatException(problem, number, Excerpt.of(detail));
    }

    public void close() throws IOException {
        in.close();
    }

    /** Moves what is not yet a line to the front and reads on; false at the end of the input. */
    private boolean fill() throws IOException {
        System.arraycopy(buffer, next, buffer, 0, filled - next);
        filled -= next;
        next = 0;
        int read = more();
        filled += Math.max(0, read);
        return read > 0;
    }

    private int more() throws IOException {
        try {
            return in.read(buffer, filled, buffer.length - filled);
        } catch (EOFException packedFileIsCut) {
            early = Optional.of(packedFileIsCut);
            return -1;
        }
    }
}
