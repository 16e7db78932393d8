package dev.lacuna.bridge.graft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where a process that is attached to leaves its files: in the rendezvous folder, or in one of its own, where it sees other mounts
 * and not that one. The latter is read through {@code /proc/PID/root}.
 *
 * @param own the rendezvous folder, as this program names it
 */
public record MeetingFolder(Path own) {
    private static final List<Path> ITS_OWN = List.of(Path.of("/tmp"), Path.of("/dev/shm"), Path.of("/var/tmp"));

    /**
     * The folder as the process names it; empty where it has none that it could write to.
     *
     * @param process its folder in {@code /proc}
     * @param uid its user
     */
    public Optional<Path> of(Path process, int uid) {
        if (isSharedWith(process)) {
            return Optional.of(own);
        }
        Path root = process.resolve("root");
        return ITS_OWN.stream()
                .filter(folder -> Files.isDirectory(below(root, folder)) && Files.isWritable(below(root, folder)))
                .map(folder -> folder.resolve("lacuna-" + Integer.toUnsignedString(uid)))
                .findFirst();
    }

    /**
     * Whether the process finds the very same folder under this name, or the one in which it is to be made. Two containers of one
     * user have folders of one name, which are not the same.
     */
    public boolean isSharedWith(Path process) {
        Path root = process.resolve("root");
        Path here = own.toAbsolutePath();
        while (!Files.isDirectory(here) && here.getParent() != null) {
            here = here.getParent();
        }
        Optional<Map<String, Object>> same = identity(here);
        return same.isPresent() && same.equals(identity(below(root, here)));
    }

    private static Path below(Path root, Path folder) {
        return root.resolve(Path.of("/").relativize(folder));
    }

    private static Optional<Map<String, Object>> identity(Path folder) {
        try {
            return Optional.of(Files.readAttributes(folder, "unix:dev,ino"));
        } catch (IOException notSeen) {
            return Optional.empty();
        }
    }
}
