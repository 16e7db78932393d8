package dev.lacuna.ui.places.recording;

import java.net.URI;
import java.nio.file.Path;

/** A path as file managers, terminals and chats write it. */
final class PastedPath {
    private PastedPath() {}

    /** The path in a copied text: its first line, without quotes, blanks and the scheme of a file's address. */
    static String in(String text) {
        String line = text.strip().lines().findFirst().orElse("").strip();
        if (line.length() > 1
                && (line.startsWith("'") || line.startsWith("\""))
                && line.endsWith(line.substring(0, 1))) {
            line = line.substring(1, line.length() - 1);
        }
        if (line.startsWith("file:")) {
            try {
                return Path.of(URI.create(line)).toString();
            } catch (IllegalArgumentException noAddress) {
                return line;
            }
        }
        return line.startsWith("~/") ? System.getProperty("user.home") + line.substring(1) : line;
    }
}
