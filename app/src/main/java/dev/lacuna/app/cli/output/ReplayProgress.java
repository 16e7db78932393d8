package dev.lacuna.app.cli.output;

import dev.lacuna.core.base.ByteSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** How far a long reading is, on one line of a terminal; nothing where stderr is none, or before a second has passed. */
public final class ReplayProgress {
    private static final long FIRST_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long BETWEEN_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final String TO_START_OF_LINE_AND_CLEAR = "\r\u001B[K";

    private final String key;
    private final boolean terminal = isTerminal();
    private final AtomicInteger readings = new AtomicInteger();
    private long nextNs = System.nanoTime() + FIRST_NS;
    private boolean shown;
    private boolean cleared;

    /** Says it with the text of this key; from the second reading on with that of the key followed by {@code .again}. */
    public ReplayProgress(String key) {
        this.key = key;
    }

    /** A reading of the trace begins, of this many bytes where that is known. */
    public Reading reading(OptionalLong totalBytes) {
        return new Reading(readings.incrementAndGet(), totalBytes);
    }

    /** One reading of the trace. */
    public final class Reading {
        private final int number;
        private final OptionalLong totalBytes;
        private long bytes;

        private Reading(int number, OptionalLong totalBytes) {
            this.number = number;
            this.totalBytes = totalBytes;
        }

        /** So many bytes more were read. */
        public void read(long count) {
            readUpTo(bytes + count);
        }

        /** So many bytes were read in all. */
        public void readUpTo(long count) {
            bytes = count;
            show(number, bytes, totalBytes);
        }
    }

    /** Removes the line. */
    public synchronized void clear() {
        cleared = true;
        if (shown) {
            System.err.print(TO_START_OF_LINE_AND_CLEAR);
            System.err.flush();
            shown = false;
        }
    }

    private synchronized void show(int number, long bytes, OptionalLong totalBytes) {
        long now = System.nanoTime();
        if (!terminal || cleared || now < nextNs) {
            return;
        }
        nextNs = now + BETWEEN_NS;
        String done = totalBytes.isPresent() && totalBytes.getAsLong() > 0
                ? 100 * bytes / totalBytes.getAsLong() + " %"
                : ByteSize.format(bytes);
        System.err.print(TO_START_OF_LINE_AND_CLEAR
                + CliText.text(number == 1 ? key : key + ".again", done, String.valueOf(number)));
        System.err.flush();
        shown = true;
    }

    /** Whether stderr is a terminal on which a line can change. */
    public static boolean isTerminal() {
        if ("dumb".equals(System.getenv("TERM"))) {
            return false;
        }
        try {
            String stderr = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return stderr.startsWith("/dev/pts/") || stderr.startsWith("/dev/tty");
        } catch (IOException e) {
            return false;
        }
    }
}
