package dev.lacuna.app.window;

import dev.lacuna.app.files.FileKind;
import java.nio.file.Path;

/** What the window makes of a dropped file, for the tests that damage it. */
public final class DroppedFilesReading {
    private DroppedFilesReading() {}

    /** Where it would be shown. */
    public static String read(Path file) {
        return FileKind.of(file).name();
    }
}
