package dev.lacuna.bridge.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.OptionalLong;

/** The counter of processes that were killed for want of memory in a control group. */
public final class MemoryKills {
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");
    private static final String WORD = "oom_kill ";

    private final Path root;

    /** In the control groups of this machine. */
    public MemoryKills() {
        this(GROUPS);
    }

    /** In control groups that are mounted elsewhere. */
    public MemoryKills(Path root) {
        this.root = root;
    }

    /**
     * What a counter file says.
     *
     * @param file {@code memory.events} or {@code memory.oom_control} of a group, as an agent wrote it down
     * @return empty when it is none, is gone with its group, or may not be read
     */
    public OptionalLong count(String file) {
        try {
            Path path = Path.of(file);
            if (!path.equals(path.normalize()) || !path.startsWith(root) || !Files.isRegularFile(path)) {
                return OptionalLong.empty();
            }
            return Files.readAllLines(path, StandardCharsets.ISO_8859_1).stream()
                    .filter(line -> line.startsWith(WORD))
                    .mapToLong(
                            line -> Long.parseLong(line.substring(WORD.length()).trim()))
                    .findFirst();
        } catch (IOException | NumberFormatException | InvalidPathException e) {
            return OptionalLong.empty();
        }
    }
}
