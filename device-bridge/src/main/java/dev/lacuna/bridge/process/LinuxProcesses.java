package dev.lacuna.bridge.process;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.ProcessState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.Optional;
import java.util.OptionalLong;

/** Processes as {@code /proc} shows them. */
public final class LinuxProcesses {
    private final Path proc;

    /** The processes of this machine. */
    public LinuxProcesses() {
        this(Path.of("/proc"));
    }

    /** Processes under another root, laid out as {@code /proc}. */
    public LinuxProcesses(Path proc) {
        this.proc = proc;
    }

    /** Start time of the process that has this pid now, clock ticks since boot; empty when there is none. */
    public OptionalLong startTicks(long pid) {
        Optional<ProcessStat> stat = stat(pid);
        return stat.isPresent() ? OptionalLong.of(stat.get().startTicks()) : OptionalLong.empty();
    }

    /**
     * How a process is doing.
     *
     * @param startTicks its start time: a process with the same pid and another start time is another process, so GONE
     */
    public ProcessState state(long pid, long startTicks) {
        return stat(pid)
                .filter(stat -> stat.startTicks() == startTicks)
                .map(stat -> state(stat.state()))
                .orElse(ProcessState.GONE);
    }

    /**
     * The effective user id of this program.
     *
     * @throws BridgeException SYSTEM when {@code /proc/self/status} cannot be read
     */
    public int ownUid() throws BridgeException {
        try {
            for (String line : Files.readAllLines(proc.resolve("self/status"))) {
                if (line.startsWith("Uid:")) {
                    // Real, effective, saved, file system.
                    return Integer.parseUnsignedInt(line.split("\\s+")[2]);
                }
            }
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw new BridgeException(Reason.SYSTEM, "own user id could not be read from " + proc, e);
        }
        throw new BridgeException(Reason.SYSTEM, "own user id is not in " + proc.resolve("self/status"));
    }

    /**
     * The user with this id, comparable with what a socket says of its peer.
     *
     * @throws BridgeException SYSTEM
     */
    public static UserPrincipal user(int uid) throws BridgeException {
        try {
            // The platform's lookup takes the number where it finds no such name.
            return FileSystems.getDefault()
                    .getUserPrincipalLookupService()
                    .lookupPrincipalByName(Integer.toUnsignedString(uid));
        } catch (IOException e) {
            throw new BridgeException(Reason.SYSTEM, "user " + Integer.toUnsignedString(uid) + " is unknown", e);
        }
    }

    /** Now on CLOCK_MONOTONIC, nanoseconds: on Linux the virtual machine's own clock, and the one agents stamp events with. */
    public static long monotonicNs() {
        return System.nanoTime();
    }

    /** What the kernel tells of the process that has this pid now; empty when there is none. */
    public Optional<ProcessStat> stat(long pid) {
        try {
            return ProcessStat.parse(
                    Files.readString(proc.resolve(Long.toString(pid)).resolve("stat"), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            // The process ended, perhaps between the opening of the file and its reading (ESRCH).
            return Optional.empty();
        }
    }

    private static ProcessState state(char letter) {
        return switch (letter) {
            case 'T', 't' -> ProcessState.STOPPED;
            case 'Z', 'X', 'x' -> ProcessState.GONE;
            default -> ProcessState.RUNNING;
        };
    }
}
