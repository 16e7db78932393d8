package dev.lacuna.ui.places.recording.focus;

import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.Recording;
import java.io.IOException;
import java.util.List;

/** Where recordings come from. Called off the UI thread. */
public interface RecordingFiles {
    /**
     * Reads the recording at this path, whatever its format.
     *
     * @param request which part of it, who is told of the progress, and whether somebody still waits
     * @throws IOException when it cannot be read or understood
     * @throws java.util.concurrent.CancellationException when nobody waits any more
     */
    Recording open(String path, OpenRequest request) throws IOException;

    /**
     * Looks at how the file at this path begins, before anything that is open is given up for it.
     *
     * @throws IOException when it is plain that no recording lies there
     */
    default void look(String path) throws IOException {}

    /** A short recording that comes with the program. */
    Recording example() throws IOException;

    /** What names of recordings end in, such as {@code .csv}; none where it does not matter. */
    default List<String> endings() {
        return List.of();
    }
}
