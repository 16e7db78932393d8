package dev.lacuna.ui.places.planner.files;

import dev.lacuna.core.planning.PlanContent;
import dev.lacuna.core.trace.model.AllocationTrace;
import java.io.IOException;
import java.io.InputStream;

/** The operator's files, as far as the planner needs them. Never called on the UI thread. */
public interface PlannerFiles {
    /**
     * The text of a file.
     *
     * @throws IOException when there is none, or it is too large for anything that the planner reads; the message says what is wrong
     */
    String read(String path) throws IOException;

    /**
     * The bytes of a file of any size.
     *
     * @throws IOException when there is none; the message says what is wrong
     */
    InputStream open(String path) throws IOException;

    /**
     * The trace in a file.
     *
     * @throws IOException when there is none, or it is no trace of any format; the message says what is wrong
     */
    AllocationTrace trace(String path) throws IOException;

    /**
     * What a file holds that can be planned for.
     *
     * @throws IOException when there is none, or nothing can be planned for what is in it; the message says why
     */
    PlanContent plan(String path) throws IOException;

    /** Writes a file; what was there is replaced only once the whole text is written. */
    void write(String path, String text) throws IOException;
}
