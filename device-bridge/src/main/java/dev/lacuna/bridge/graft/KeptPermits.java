package dev.lacuna.bridge.graft;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.ControlPermits;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.process.LinuxProcesses;
import dev.lacuna.bridge.rendezvous.LocalTrainingProcesses;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The operator's word in the rendezvous directory: a file {@code <pid>-<starttime>.allowed} with the time of the attachment. */
public final class KeptPermits implements ControlPermits {
    private static final Pattern NAME = Pattern.compile("([1-9][0-9]{0,9})-(0|[1-9][0-9]{0,17})\\.allowed");

    /** Longer than any time is written. */
    private static final int MOST_BYTES = 64;

    private final Path directory;
    private final String by;
    private final LinuxProcesses processes = new LinuxProcesses();

    /**
     * @param processes where they meet
     * @param by one word that names the program in the audit log
     */
    public KeptPermits(LocalTrainingProcesses processes, String by) {
        this(processes.directory(), by);
    }

    KeptPermits(Path directory, String by) {
        this.directory = directory;
        this.by = by;
    }

    @Override
    public boolean allowed(TrainingProcess process) throws BridgeException {
        Path file = file(process);
        try {
            return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    && Files.size(file) <= MOST_BYTES
                    && Files.readString(file, StandardCharsets.ISO_8859_1).equals(attachment(process));
        } catch (IOException e) {
            // What cannot be read was not said: the operator is asked.
            return false;
        }
    }

    @Override
    public void answered(TrainingProcess process, boolean yes) throws BridgeException {
        try {
            new AttachAudit(directory, processes.ownUid(), by).add(process.pid(), yes ? "ok" : "denied", "control");
            if (yes) {
                forgetTheDead();
                keep(process);
            }
        } catch (IOException e) {
            throw new BridgeException(Reason.SYSTEM, directory + " could not be written: " + e.getMessage(), e);
        }
    }

    private void keep(TrainingProcess process) throws IOException {
        Path part = Files.createTempFile(
                directory,
                "allowed",
                "",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            Files.writeString(part, attachment(process));
            Files.move(part, file(process), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part); // on a full disk
        }
    }

    private void forgetTheDead() throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, "*.allowed")) {
            for (Path entry : entries) {
                Matcher name = NAME.matcher(entry.getFileName().toString());
                if (name.matches()
                        && processes.startTicks(Long.parseLong(name.group(1))).orElse(-1)
                                != Long.parseLong(name.group(2))) {
                    Files.deleteIfExists(entry);
                }
            }
        }
    }

    private Path file(TrainingProcess process) {
        return directory.resolve(process.pid() + "-" + process.startTicks() + ".allowed");
    }

    private static String attachment(TrainingProcess process) {
        return process.startedAt().toString();
    }
}
