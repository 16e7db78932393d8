package dev.lacuna.bridge.rendezvous;

import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.ProcessRecording;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.TrainingProcesses;
import dev.lacuna.bridge.control.AgentControl;
import dev.lacuna.bridge.process.LinuxProcesses;
import dev.lacuna.bridge.recording.FileRecording;
import dev.lacuna.bridge.wire.TelemetryFile;
import dev.lacuna.bridge.wire.TelemetryHeader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * The training processes that meet in a rendezvous directory of this user. Safe for use by several threads. Listing also
 * removes sockets of dead processes and all but the newest black boxes.
 */
public final class LocalTrainingProcesses implements TrainingProcesses {
    private final RendezvousDirectory directory;
    private final LinuxProcesses processes;
    private final Housekeeping housekeeping;
    private final int uid;
    private final UserPrincipal user;
    private final String by;

    /**
     * Processes that meet in this directory.
     *
     * @param directory need not exist yet
     * @param by one word that names this program in the audit lines of its commands, such as {@code window} or {@code cli}
     * @throws BridgeException SYSTEM when this program's own user id cannot be found out
     */
    public LocalTrainingProcesses(Path directory, String by) throws BridgeException {
        this(directory, by, new LinuxProcesses());
    }

    LocalTrainingProcesses(Path directory, String by, LinuxProcesses processes) throws BridgeException {
        if (!by.matches("[A-Za-z0-9._-]{1,32}")) {
            throw new IllegalArgumentException("one plain word is needed to name the program: " + by);
        }
        this.uid = new LinuxProcesses().ownUid();
        this.user = LinuxProcesses.user(uid);
        this.directory = new RendezvousDirectory(directory, uid);
        this.processes = processes;
        this.housekeeping = new Housekeeping(this.directory, processes);
        this.by = by;
    }

    /**
     * Processes that meet where agents of this user meet unless told otherwise.
     *
     * @throws BridgeException SYSTEM when this program's own user id cannot be found out
     */
    public static LocalTrainingProcesses standard(String by) throws BridgeException {
        int uid = new LinuxProcesses().ownUid();
        return new LocalTrainingProcesses(RendezvousDirectory.standard(System.getenv(), uid), by);
    }

    /** Where they meet. */
    public Path directory() {
        return directory.path();
    }

    @Override
    public List<TrainingProcess> living() throws BridgeException {
        return list(process -> process.state() != ProcessState.GONE);
    }

    @Override
    public List<TrainingProcess> blackBoxes() throws BridgeException {
        return list(process -> process.state() == ProcessState.GONE);
    }

    @Override
    public AttachedProcess attach(long pid) throws BridgeException {
        if (!directory.usable()) {
            throw new BridgeException(Reason.GONE, "no agent has run yet: " + directory.path() + " is not there");
        }
        OptionalLong start = processes.startTicks(pid);
        if (start.isEmpty()) {
            throw new BridgeException(Reason.GONE, "there is no process " + pid);
        }
        AgentFiles files = new AgentFiles(directory.path(), pid, start.getAsLong());
        if (!Files.exists(files.telemetry(), LinkOption.NOFOLLOW_LINKS)) {
            throw new BridgeException(
                    Reason.GONE,
                    "process " + pid + " carries no agent, or has not allocated a tensor yet (no " + files.telemetry()
                            + ")");
        }
        TelemetryFile file = TelemetryFile.open(files.telemetry(), uid);
        return attachment(file, files);
    }

    @Override
    public AttachedProcess open(TrainingProcess process) throws BridgeException {
        TelemetryFile file = TelemetryFile.open(process.telemetry(), uid);
        Path parent = process.telemetry().toAbsolutePath().getParent();
        return attachment(
                file, new AgentFiles(parent == null ? directory.path() : parent, process.pid(), process.startTicks()));
    }

    @Override
    public ProcessRecording record(TrainingProcess process, Path target) throws BridgeException, IOException {
        AttachedProcess opened = open(process);
        try {
            return FileRecording.start(opened, target);
        } catch (IOException e) {
            opened.close();
            throw e;
        }
    }

    private AttachedProcess attachment(TelemetryFile file, AgentFiles files) throws BridgeException {
        boolean done = false;
        try {
            requireSame(file.header(), files);
            TelemetryFile.Glimpse now = file.glimpse();
            AgentControl control = new AgentControl(files.socket(), user, by);
            LocalAttachment attachment = new LocalAttachment(describe(files, now), file, processes, control);
            done = true;
            return attachment;
        } finally {
            if (!done) {
                file.close();
            }
        }
    }

    private List<TrainingProcess> list(Predicate<TrainingProcess> wanted) throws BridgeException {
        housekeeping.run();
        List<TrainingProcess> found = new ArrayList<>();
        for (AgentFiles files : directory.files(AgentFiles.TELEMETRY)) {
            look(files).filter(wanted).ifPresent(found::add);
        }
        found.sort(Comparator.comparing(TrainingProcess::startedAt).reversed());
        return found;
    }

    /** A file that is damaged, not finished or not to be trusted is left out of lists; attaching to it says why. */
    private Optional<TrainingProcess> look(AgentFiles files) {
        try {
            TelemetryFile.Glimpse glimpse = TelemetryFile.glimpse(files.telemetry(), uid);
            requireSame(glimpse.header(), files);
            return Optional.of(describe(files, glimpse));
        } catch (BridgeException e) {
            return Optional.empty();
        }
    }

    private TrainingProcess describe(AgentFiles files, TelemetryFile.Glimpse glimpse) {
        ProcessState state =
                glimpse.agentExited() ? ProcessState.GONE : processes.state(files.pid(), files.startTicks());
        return new TrainingProcess(
                files.pid(),
                files.startTicks(),
                glimpse.header().startedAt(),
                glimpse.header().command(),
                glimpse.devices(),
                state != ProcessState.GONE && takesCommands(files),
                state,
                files.telemetry());
    }

    /** A process that became another program by exec has left its files behind, and nobody listens there. */
    private boolean takesCommands(AgentFiles files) {
        return directory.isOwnSocket(files.socket()) && AgentControl.answers(files.socket());
    }

    private static void requireSame(TelemetryHeader header, AgentFiles files) throws BridgeException {
        if (header.pid() != files.pid() || header.startTicks() != files.startTicks()) {
            throw new BridgeException(
                    Reason.UNREADABLE,
                    files.telemetry() + " says that it belongs to process " + header.pid() + " started at "
                            + header.startTicks() + ", not to the one its name tells");
        }
    }
}
