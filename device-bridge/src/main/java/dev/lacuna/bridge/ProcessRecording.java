package dev.lacuna.bridge;

import java.util.concurrent.CompletableFuture;

/**
 * A recording of a living process that is being made. It ends when the process does, when it is {@linkplain #stop told} to, or when the
 * process cannot be read any further; in each of these cases what was read until then is saved whole. Safe for use by several threads.
 */
public interface ProcessRecording {
    /** Events written down so far. */
    long events();

    /** Events so far that were overwritten before they could be read. */
    long lostEvents();

    /** Ends the recording; harmless when it has ended. Saving goes on behind, see {@link #ended}. */
    void stop();

    /** Completes, on any thread, when all is saved; with a {@link java.io.IOException} when that could not be done. */
    CompletableFuture<SavedRecording> ended();
}
