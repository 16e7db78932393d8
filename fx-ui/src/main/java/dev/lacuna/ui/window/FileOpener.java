package dev.lacuna.ui.window;

import java.io.File;
import java.util.List;

/** What the window does with files that are dropped on it, or asked for with Ctrl+O. */
public interface FileOpener {
    /** Lets the operator choose files and opens them. */
    void choose();

    /** Opens these; they may be unreadable, folders, or of no known format: say so politely. */
    void open(List<File> files);
}
