package dev.lacuna.bridge.launch;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The last lines of what a process prints. Reads as fast as the process writes and forgets the oldest, so that nobody who
 * looks slowly or not at all ever slows training.
 */
final class OutputTail {
    private static final int LINES = 1000;

    /** A longer line is broken: a progress bar without end must not fill the memory. */
    private static final int LINE_CHARS = 4096;

    private final Deque<String> lines = new ArrayDeque<>();

    /** Reads until the end. */
    void drain(Reader from) {
        char[] chunk = new char[LINE_CHARS];
        StringBuilder line = new StringBuilder();
        try (Reader reader = from) {
            for (int got = reader.read(chunk); got >= 0; got = reader.read(chunk)) {
                for (int i = 0; i < got; i++) {
                    take(chunk[i], line);
                }
            }
        } catch (IOException e) {
            // The pipe was closed under us because the process was destroyed: what came until then is kept.
        }
        end(line);
    }

    /** The last lines, oldest first. */
    synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    private void take(char c, StringBuilder line) {
        if (c == '\n' || c == '\r' || line.length() == LINE_CHARS) {
            end(line);
        }
        if (c != '\n' && c != '\r') {
            line.append(c);
        }
    }

    private void end(StringBuilder line) {
        if (line.length() > 0) {
            add(line.toString());
            line.setLength(0);
        }
    }

    private synchronized void add(String line) {
        if (lines.size() == LINES) {
            lines.removeFirst();
        }
        lines.addLast(line);
    }
}
