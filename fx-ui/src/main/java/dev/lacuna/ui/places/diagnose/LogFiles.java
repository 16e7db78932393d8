package dev.lacuna.ui.places.diagnose;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** The operator's files, as far as this place needs them. Never called on the UI thread. */
public interface LogFiles {
    /** What names of logs usually end in. */
    List<String> ENDINGS = List.of(".log", ".txt", ".out", ".err");

    /**
     * The logs that a path means: itself for a file, its regular files in the order of their names for a folder.
     *
     * @throws IOException when there is nothing readable at this path; the message says what is wrong
     */
    List<String> logsAt(String path) throws IOException;

    /** Writes a report; what was there is replaced. */
    void write(String path, String text) throws IOException;

    /** The bytes of a log; whether they are packed is told by whoever reads them. */
    InputStream open(String path) throws IOException;
}
