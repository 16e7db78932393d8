package dev.lacuna.bridge.rendezvous;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The two files of one agent, {@code <boot>-<pid namespace>-<pid>-<starttime>.mem} and {@code .sock}; those of earlier
 * agents tell pid and start only.
 *
 * @param directory where they are
 * @param stem their name without its ending
 * @param place where the pid holds, where the name tells
 * @param pid process id
 * @param startTicks start time of the process, clock ticks since boot
 */
record AgentFiles(Path directory, String stem, Optional<Place> place, long pid, long startTicks) {
    static final String TELEMETRY = ".mem";
    static final String SOCKET = ".sock";

    private static final Pattern NAME = Pattern.compile(
            "((?:([0-9a-f]{8})-(0|[1-9][0-9]{0,17})-)?([1-9][0-9]{0,9})-(0|[1-9][0-9]{0,17}))(\\.mem|\\.sock)");
    private static final String NO_BOOT = "00000000";

    /**
     * Where a pid holds.
     *
     * @param boot the beginning of the boot's id; empty: not told
     * @param namespace inode of the pid namespace; 0: not told
     */
    record Place(String boot, long namespace) {}

    /** The agent that a file of this name belongs to, if it is such a name. */
    static Optional<AgentFiles> of(Path file) {
        Path name = file.getFileName();
        Path directory = file.getParent();
        if (name == null || directory == null) {
            return Optional.empty();
        }
        Matcher m = NAME.matcher(name.toString());
        if (!m.matches()) {
            return Optional.empty();
        }
        Optional<Place> place = Optional.ofNullable(m.group(2))
                .map(boot -> new Place(boot.equals(NO_BOOT) ? "" : boot, Long.parseLong(m.group(3))));
        return Optional.of(
                new AgentFiles(directory, m.group(1), place, Long.parseLong(m.group(4)), Long.parseLong(m.group(5))));
    }

    /** The namespace in which the pid holds; 0: not told. */
    long namespace() {
        return place.map(Place::namespace).orElse(0L);
    }

    Path telemetry() {
        return directory.resolve(stem + TELEMETRY);
    }

    Path socket() {
        return directory.resolve(stem + SOCKET);
    }
}
