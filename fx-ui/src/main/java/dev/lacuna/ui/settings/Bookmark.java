package dev.lacuna.ui.settings;

import java.io.File;

/**
 * A moment that the operator wants to find again.
 *
 * @param name what the operator calls it
 * @param place id of the place that shows it
 * @param subject what it is a moment of: the absolute path of a file, or a process by the name that no other has
 * @param device which device of it; 0 where the place shows one at a time
 * @param at which moment, in the place's own count
 */
public record Bookmark(String name, String place, String subject, int device, long at) {
    /** Whether the moment can be found at the next start too: of a file, not of what a process did while it was read. */
    public boolean lasts() {
        return new File(subject).isAbsolute();
    }

    /** The same moment under another name. */
    public Bookmark called(String other) {
        return new Bookmark(other, place, subject, device, at);
    }
}
