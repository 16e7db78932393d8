package dev.lacuna.bridge.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Where pids hold: this boot, this program's pid namespace, and what of other namespaces can be seen from here. */
public final class PidNamespaces {
    /** The inode of the machine's first pid namespace, in which the kernel's log tells pids. */
    public static final long FIRST = 0xEFFFFFFCL;

    private static final Pattern LINK = Pattern.compile("[a-z]+:\\[([0-9]{1,18})]");
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,9}");

    /** How long a look around is good for: a process has its agent long after that. */
    private static final long GOOD_FOR_NS = 250_000_000;

    private final Path proc;
    private final LinuxProcesses processes;
    private Map<Long, List<Long>> pidsByNamespace = Map.of();
    private OptionalLong lookedNs = OptionalLong.empty();

    /** As this machine's {@code /proc} shows them. */
    public PidNamespaces() {
        this(Path.of("/proc"));
    }

    /** As another root shows them, laid out as {@code /proc}. */
    public PidNamespaces(Path proc) {
        this.proc = proc;
        this.processes = new LinuxProcesses(proc);
    }

    /** The kernel's id of this boot; empty when it cannot be read. */
    public String boot() {
        try {
            return Files.readString(proc.resolve("sys/kernel/random/boot_id"), StandardCharsets.US_ASCII)
                    .trim();
        } catch (IOException e) {
            return "";
        }
    }

    /** The inode of a namespace of this program, such as {@code pid} or {@code mnt}; 0 when it cannot be read. */
    public long own(String kind) {
        return inode(proc.resolve("self/ns").resolve(kind));
    }

    /** Whether {@code /proc} shows this program's own pid namespace, and not one around it. */
    public boolean showsOwn() {
        try {
            return Files.readSymbolicLink(proc.resolve("self"))
                    .toString()
                    .equals(Long.toString(ProcessHandle.current().pid()));
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** The pid here of a process that has this one in another namespace; empty where it cannot be seen from here. */
    public OptionalLong pidHere(long namespace, long pid, long startTicks) {
        for (long candidate : pidsIn(namespace)) {
            if (innermostPid(candidate) == pid && isOf(processes.startTicks(candidate), startTicks)) {
                return OptionalLong.of(candidate);
            }
        }
        return OptionalLong.empty();
    }

    /** One look around serves all files of a listing. */
    private synchronized List<Long> pidsIn(long namespace) {
        long now = System.nanoTime();
        if (lookedNs.isEmpty() || now - lookedNs.getAsLong() > GOOD_FOR_NS) {
            pidsByNamespace =
                    everyPid().stream().collect(Collectors.groupingBy(pid -> inode(proc.resolve(pid + "/ns/pid"))));
            lookedNs = OptionalLong.of(now);
        }
        return pidsByNamespace.getOrDefault(namespace, List.of());
    }

    private static boolean isOf(OptionalLong started, long startTicks) {
        return started.isPresent() && started.getAsLong() == startTicks;
    }

    private List<Long> everyPid() {
        List<Long> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(
                proc, entry -> NUMBER.matcher(entry.getFileName().toString()).matches())) {
            entries.forEach(
                    entry -> found.add(Long.parseLong(entry.getFileName().toString())));
        } catch (IOException | DirectoryIteratorException e) {
            // Processes that cannot be listed cannot be seen: whoever asks takes them for another namespace's.
            return found;
        }
        return found;
    }

    /** The pid in the process's own namespace: the last of the line {@code NSpid}; 0 when it is not told. */
    private long innermostPid(long pid) {
        try {
            for (String line : Files.readAllLines(proc.resolve(pid + "/status"), StandardCharsets.ISO_8859_1)) {
                if (line.startsWith("NSpid:")) {
                    String[] pids = line.trim().split("\\s+");
                    return Long.parseLong(pids[pids.length - 1]);
                }
            }
        } catch (IOException | NumberFormatException e) {
            // It ended meanwhile.
            return 0;
        }
        return 0;
    }

    private static long inode(Path link) {
        try {
            Matcher m = LINK.matcher(Files.readSymbolicLink(link).toString());
            return m.matches() ? Long.parseLong(m.group(1)) : 0;
        } catch (IOException | UnsupportedOperationException e) {
            // It ended meanwhile, or is another user's.
            return 0;
        }
    }
}
