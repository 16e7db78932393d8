package dev.lacuna.bridge.rendezvous;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.process.LinuxProcesses;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Folders of processes that see other mounts, read through {@code /proc/PID/root}: a file {@code <pid>-<starttime>.away} in the
 * rendezvous directory names each, as the process does. It goes with the process.
 */
final class OtherFolders {
    private static final Pattern NAME = Pattern.compile("([1-9][0-9]{0,9})-(0|[1-9][0-9]{0,17})\\.away");
    private static final int MOST_BYTES = 4096;

    private final RendezvousDirectory directory;
    private final LinuxProcesses processes;
    private final int uid;

    OtherFolders(RendezvousDirectory directory, LinuxProcesses processes, int uid) {
        this.directory = directory;
        this.processes = processes;
        this.uid = uid;
    }

    /** Remembers where a process leaves its files. */
    void remember(long pid, long startTicks, Path folder) throws IOException {
        Path file = directory.path().resolve(pid + "-" + startTicks + ".away");
        Path part = Files.createTempFile(
                directory.path(),
                "away",
                "",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(part, folder.toString());
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Those of living processes that are there and to be trusted. */
    List<RendezvousDirectory> all() throws BridgeException {
        List<RendezvousDirectory> found = new ArrayList<>();
        if (!directory.usable()) {
            return found;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory.path(), "*.away")) {
            for (Path entry : entries) {
                named(entry).ifPresent(found::add);
            }
        } catch (IOException | DirectoryIteratorException goneMeanwhile) {
            return found;
        }
        return found;
    }

    private Optional<RendezvousDirectory> named(Path entry) throws IOException {
        Matcher name = NAME.matcher(entry.getFileName().toString());
        if (!name.matches()) {
            return Optional.empty();
        }
        long pid = Long.parseLong(name.group(1));
        if (processes.startTicks(pid).orElse(-1) != Long.parseLong(name.group(2))) {
            Files.deleteIfExists(entry);
            return Optional.empty();
        }
        if (Files.size(entry) > MOST_BYTES) {
            return Optional.empty();
        }
        String folder = Files.readString(entry, StandardCharsets.UTF_8);
        if (!folder.startsWith("/") || folder.indexOf('\0') >= 0) {
            return Optional.empty();
        }
        Path root = Path.of("/proc", Long.toString(pid), "root");
        return Optional.of(new RendezvousDirectory(root.resolve(Path.of("/").relativize(Path.of(folder))), uid))
                .filter(OtherFolders::isUsable);
    }

    private static boolean isUsable(RendezvousDirectory folder) {
        try {
            return folder.usable();
        } catch (BridgeException notToBeTrusted) {
            // Somebody else's folder of that name: nobody meets anybody there.
            return false;
        }
    }
}
