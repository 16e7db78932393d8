package dev.lacuna.ui.snapshot;

import dev.lacuna.core.history.Recording;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleConsumer;

/** Where recordings come from. Called off the UI thread. */
public interface RecordingFiles {
    /**
     * Reads the recording at this path, whatever its format.
     *
     * @param progress called with 0 to 1 as it is read, not too often
     * @param cancelled asked now and then; once it is true the call ends soon, with any result
     * @throws IOException when it cannot be read or understood; the message says why, for people
     */
    Recording open(String path, DoubleConsumer progress, BooleanSupplier cancelled) throws IOException;

    /** A short recording that comes with the program. */
    Recording example() throws IOException;
}
