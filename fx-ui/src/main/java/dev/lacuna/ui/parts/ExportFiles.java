package dev.lacuna.ui.parts;

import java.io.IOException;

/** Where exports go. Called off the UI thread. */
public interface ExportFiles {
    /**
     * Writes a file; one that is there is replaced.
     *
     * @throws IOException when it cannot be written; the message says why
     */
    void write(String path, byte[] content) throws IOException;

    /**
     * A picture as a PNG.
     *
     * @param argb pixels in rows from the top
     */
    byte[] png(int width, int height, int[] argb) throws IOException;

    /** Name and version of the program. */
    String program();
}
