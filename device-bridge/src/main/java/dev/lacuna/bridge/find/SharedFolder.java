package dev.lacuna.bridge.find;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The rendezvous folder, which a process in another container may not see.
 *
 * @param path as this program names it
 */
record SharedFolder(Path path) {
    /** Whether the process finds the very same folder under this name, or the one in which it is to be made. */
    boolean isSeenBy(ProcFolder process) {
        Path here = path.toAbsolutePath();
        while (!Files.isDirectory(here) && here.getParent() != null) {
            here = here.getParent();
        }
        Path there = process.path().resolve("root").resolve(Path.of("/").relativize(here));
        Optional<Map<String, Object>> own = identity(here);
        return own.isPresent() && own.equals(identity(there));
    }

    private static Optional<Map<String, Object>> identity(Path folder) {
        try {
            return Optional.of(Files.readAttributes(folder, "unix:dev,ino"));
        } catch (IOException notSeen) {
            return Optional.empty();
        }
    }
}
