package dev.lacuna.core.history.build;

import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * How a recording is to be opened, and who is told of it.
 *
 * @param range what to load; empty for all
 * @param progress is told how far reading has come, from the reading thread
 * @param cancelled is asked often; once it says so, opening ends with a {@link CancellationException}
 */
public record OpenRequest(Optional<LoadRange> range, Progress progress, Cancel cancelled) {
    /** All of it, told to nobody. */
    public static final OpenRequest ALL = new OpenRequest(Optional.empty(), (read, total) -> {}, () -> false);

    /** Is told how far reading has come. */
    @FunctionalInterface
    public interface Progress {
        /**
         * So much has been read.
         *
         * @param readBytes bytes of the file
         * @param totalBytes size of the file, ≥ readBytes
         */
        void read(long readBytes, long totalBytes);
    }

    /** Says whether nobody wants it any more. */
    @FunctionalInterface
    public interface Cancel {
        /** Whether to end. */
        boolean wanted();
    }

    /** How many steps of a loop lie between two checks. */
    private static final int STEPS = 1 << 15;

    /** The same, in step i of a long loop: now and then only. */
    public void checkAt(int i) {
        if ((i & STEPS - 1) == 0) {
            check();
        }
    }

    /** The same for a part. */
    public OpenRequest of(LoadRange part) {
        return new OpenRequest(Optional.of(part), progress, cancelled);
    }

    /** Ends where nobody wants it any more, or the thread is interrupted. */
    public void check() {
        if (cancelled.wanted() || Thread.currentThread().isInterrupted()) {
            throw new CancellationException("opening was cancelled");
        }
    }
}
