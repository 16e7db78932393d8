package dev.lacuna.ui.parts;

import java.io.File;
import java.util.Optional;
import java.util.function.Consumer;

/** Where a file lies, shown by the desktop's own file manager. UI thread only. */
public final class FileLocation {
    private static Optional<Consumer<String>> desktop = Optional.empty();

    private FileLocation() {}

    /** What shows a folder, given as a URI; without it nothing can be shown. */
    public static void openBy(Consumer<String> shower) {
        desktop = Optional.of(shower);
    }

    /** Whether there is a desktop that shows folders. */
    public static boolean canOpen() {
        return desktop.isPresent();
    }

    /** Shows the folder in which this file lies. */
    public static void open(String path) {
        File folder = new File(path).getAbsoluteFile().getParentFile();
        desktop.ifPresent(shower -> shower.accept(folder.toURI().toString()));
    }
}
