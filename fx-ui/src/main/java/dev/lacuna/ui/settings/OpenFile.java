package dev.lacuna.ui.settings;

import java.io.File;
import java.util.Optional;

/**
 * A file that is open in a place.
 *
 * @param place id of the place
 * @param part where in it, in the place's own words; empty where it shows one
 * @param path its absolute path
 */
public record OpenFile(String place, String part, String path) {
    /** What comes from this source, if that is a file: examples and pasted texts have names that are no paths. */
    public static Optional<OpenFile> of(String place, String part, String source) {
        return new File(source).isAbsolute() ? Optional.of(new OpenFile(place, part, source)) : Optional.empty();
    }
}
