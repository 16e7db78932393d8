package dev.lacuna.ui.settings;

import java.util.List;

/**
 * What was open when the window was last used.
 *
 * @param restore whether it is opened again at the next start
 * @param process the attached process by the name that no other has; empty without one
 * @param files the open files
 */
public record LeftOpen(boolean restore, String process, List<OpenFile> files) {
    /** Nothing; it would be opened again. */
    public static final LeftOpen NOTHING = new LeftOpen(true, "", List.of());

    public LeftOpen {
        files = List.copyOf(files);
    }

    /** The same, opened again or not. */
    public LeftOpen restoring(boolean wanted) {
        return new LeftOpen(wanted, process, files);
    }
}
