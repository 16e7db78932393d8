package dev.lacuna.bridge.rendezvous;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The two files of one agent, {@code <pid>-<starttime>.mem} and {@code .sock}.
 *
 * @param directory where they are
 * @param pid process id
 * @param startTicks start time of the process, clock ticks since boot
 */
record AgentFiles(Path directory, long pid, long startTicks) {
    static final String TELEMETRY = ".mem";
    static final String SOCKET = ".sock";

    private static final Pattern NAME = Pattern.compile("([1-9][0-9]{0,9})-(0|[1-9][0-9]{0,17})(\\.mem|\\.sock)");

    /** The agent that a file of this name belongs to, if it is such a name. */
    static Optional<AgentFiles> of(Path file) {
        Path name = file.getFileName();
        Path directory = file.getParent();
        if (name == null || directory == null) {
            return Optional.empty();
        }
        Matcher m = NAME.matcher(name.toString());
        return m.matches()
                ? Optional.of(new AgentFiles(directory, Long.parseLong(m.group(1)), Long.parseLong(m.group(2))))
                : Optional.empty();
    }

    Path telemetry() {
        return directory.resolve(pid + "-" + startTicks + TELEMETRY);
    }

    Path socket() {
        return directory.resolve(pid + "-" + startTicks + SOCKET);
    }
}
