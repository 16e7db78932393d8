package dev.lacuna.bridge.find;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The container that a process runs in, by the name of its control group. */
final class Containers {
    private static final int SHOWN = 12;
    private static final Pattern ID = Pattern.compile("([0-9a-f]{32,64})(?:\\.scope)?(?:/|$)");
    private static final Pattern LXC = Pattern.compile("/lxc(?:\\.payload)?[./]([^/\\n]+)");

    private Containers() {}

    /**
     * Its runtime and the beginning of its id; nothing where it sees what this program sees.
     *
     * @param groups {@code /proc/PID/cgroup}
     * @param ownMounts whether it sees other mounts than this program
     */
    static Optional<String> of(String groups, boolean ownMounts) {
        if (!ownMounts) {
            return Optional.empty();
        }
        for (String line : groups.split("\n")) {
            Matcher id = ID.matcher(line);
            if (id.find()) {
                return Optional.of(runtime(line) + " " + id.group(1).substring(0, SHOWN));
            }
            Matcher lxc = LXC.matcher(line);
            if (lxc.find()) {
                return Optional.of("lxc " + lxc.group(1));
            }
        }
        return Optional.of("container");
    }

    private static String runtime(String line) {
        if (line.contains("kubepods")) {
            return "kubernetes";
        }
        for (String known : new String[] {"docker", "libpod", "containerd", "crio"}) {
            if (line.contains(known)) {
                return known.equals("libpod") ? "podman" : known;
            }
        }
        return "container";
    }
}
