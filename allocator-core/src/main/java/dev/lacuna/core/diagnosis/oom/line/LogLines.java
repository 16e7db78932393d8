package dev.lacuna.core.diagnosis.oom.line;

import java.io.IOException;
import java.io.Reader;
import java.util.Optional;

/** Reads a log line by line in bounded memory: LF, CRLF, lone CR (a progress bar redraws its line) and endless lines. */
public final class LogLines {
    /** Longest piece of a line, in characters. */
    public static final int MAX_PIECE = 1 << 15;

    private final Reader in;
    private final char[] buffer = new char[1 << 16];
    private int position;
    private int limit;
    private long bufferOffset;
    private long line = 1;
    private boolean continued;
    private long read;

    public LogLines(Reader in) {
        this.in = in;
    }

    /** Number of lines read so far. */
    public long lines() {
        return read;
    }

    /** The next piece; empty at the end. */
    public Optional<LogLine> next() throws IOException {
        int end = position;
        while (true) {
            if (end == limit) {
                int length = limit - position;
                if (!refill()) {
                    return lastPiece();
                }
                end = position + length;
            }
            char c = buffer[end];
            if (c == '\n' || c == '\r') {
                return Optional.of(lineEndingAt(end, c));
            }
            end++;
            if (end - position == MAX_PIECE) {
                LogLine piece = piece(end);
                position = end;
                continued = true;
                return Optional.of(piece);
            }
        }
    }

    private LogLine lineEndingAt(int end, char c) throws IOException {
        LogLine piece = piece(end);
        position = end;
        continued = false;
        if (c == '\r') {
            if (position + 1 == limit) {
                refill();
            }
            position++;
            if (position < limit && buffer[position] == '\n') {
                position++;
                line++;
            }
        } else {
            position++;
            line++;
        }
        return piece;
    }

    private Optional<LogLine> lastPiece() {
        if (position == limit) {
            return Optional.empty();
        }
        LogLine piece = piece(limit);
        position = limit;
        return Optional.of(piece);
    }

    private LogLine piece(int end) {
        read = line;
        return new LogLine(line, bufferOffset + position, new String(buffer, position, end - position), continued);
    }

    /** Moves what is unread to the front and reads more behind it; false at the end of the input. */
    private boolean refill() throws IOException {
        System.arraycopy(buffer, position, buffer, 0, limit - position);
        bufferOffset += position;
        limit -= position;
        position = 0;
        int n = in.read(buffer, limit, buffer.length - limit);
        if (n <= 0) {
            return false;
        }
        limit += n;
        return true;
    }
}
