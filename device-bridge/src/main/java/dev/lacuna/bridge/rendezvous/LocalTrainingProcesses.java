package dev.lacuna.bridge.rendezvous;

import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.Ending;
import dev.lacuna.bridge.ProcessId;
import dev.lacuna.bridge.ProcessRecording;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.StockControl;
import dev.lacuna.bridge.StockControl.RecordingOrder;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.TrainingProcesses;
import dev.lacuna.bridge.control.AgentControl;
import dev.lacuna.bridge.process.KernelLog;
import dev.lacuna.bridge.process.LinuxProcesses;
import dev.lacuna.bridge.process.MemoryKills;
import dev.lacuna.bridge.process.PidNamespaces;
import dev.lacuna.bridge.recording.FileRecording;
import dev.lacuna.bridge.recording.SnapshotRecording;
import dev.lacuna.bridge.wire.TelemetryFile;
import dev.lacuna.bridge.wire.TelemetryHeader;
import dev.lacuna.core.base.ProgramName;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The training processes that meet in a rendezvous directory of this user. Safe for use by several threads. Listing also
 * removes sockets of dead processes and all but the newest black boxes.
 */
public final class LocalTrainingProcesses implements TrainingProcesses {
    /** How long an attached process keeps a history unless it is told otherwise: several steps of most trainings. */
    private static final int SNAPSHOT_SECONDS = 10;

    private final RendezvousDirectory directory;
    private final OtherFolders others;
    private final LinuxProcesses processes;
    private final Witness witness;
    private final Endings endings;
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
        this(directory, by, new LinuxProcesses(), new PidNamespaces());
    }

    LocalTrainingProcesses(Path directory, String by, LinuxProcesses processes, PidNamespaces namespaces)
            throws BridgeException {
        if (!by.matches("[A-Za-z0-9._-]{1,32}")) {
            throw new IllegalArgumentException("one plain word is needed to name the program: " + by);
        }
        this.uid = new LinuxProcesses().ownUid();
        this.user = LinuxProcesses.user(uid);
        this.directory = new RendezvousDirectory(directory, uid);
        this.others = new OtherFolders(this.directory, processes, uid);
        this.processes = processes;
        this.witness = new Witness(processes, namespaces);
        this.endings = new Endings(namespaces, new KernelLog(), new MemoryKills());
        this.housekeeping = new Housekeeping(this.directory, witness);
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

    /**
     * Makes the directory where it is not there yet.
     *
     * @throws BridgeException NOT_PERMITTED when it is not to be trusted, SYSTEM when it cannot be made
     */
    public void prepareDirectory() throws BridgeException {
        directory.prepare();
    }

    /**
     * Remembers that a process leaves its files in a folder of its own, which is read through its root.
     *
     * @param folder as the process names it
     * @throws BridgeException SYSTEM when it cannot be written down
     */
    public void meetElsewhere(long pid, long startTicks, Path folder) throws BridgeException {
        try {
            others.remember(pid, startTicks, folder);
        } catch (IOException e) {
            throw new BridgeException(Reason.SYSTEM, directory.path() + " could not be written: " + e.getMessage(), e);
        }
    }

    /** The files of all agents, wherever they lie. */
    private List<AgentFiles> everyFile() throws BridgeException {
        List<AgentFiles> found = new ArrayList<>(directory.files(AgentFiles.TELEMETRY));
        for (RendezvousDirectory other : others.all()) {
            found.addAll(other.files(AgentFiles.TELEMETRY));
        }
        return found;
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
        return attach(ProcessId.here(pid));
    }

    @Override
    public AttachedProcess attach(ProcessId name) throws BridgeException {
        if (!directory.usable()) {
            throw new BridgeException(Reason.GONE, "no agent has run yet: " + directory.path() + " is not there");
        }
        boolean here = name.namespace().isEmpty();
        if (here && processes.startTicks(name.pid()).isEmpty()) {
            throw new BridgeException(Reason.GONE, "there is no process " + name + elsewhere(name.pid()));
        }
        List<AgentFiles> found = called(name);
        if (found.isEmpty()) {
            throw new BridgeException(
                    Reason.GONE,
                    "process " + name + " carries no agent, or has not allocated a tensor yet (none of its files is in "
                            + directory.path() + "); one that was not prepared is attached with: "
                            + ProgramName.text() + " attach " + name + elsewhere(name.pid()));
        }
        if (found.size() > 1) {
            throw new BridgeException(
                    Reason.AMBIGUOUS,
                    "several files could be those of process " + name + ", and nothing was done: "
                            + found.stream().map(AgentFiles::stem).collect(Collectors.joining(", ")) + " in "
                            + directory.path());
        }
        return attachment(TelemetryFile.open(found.get(0).telemetry(), uid), found.get(0));
    }

    /** The files of living processes that are called so. */
    private List<AgentFiles> called(ProcessId name) throws BridgeException {
        List<AgentFiles> found = new ArrayList<>();
        for (AgentFiles files : everyFile()) {
            Witness.Sight sight = witness.look(files);
            if (sight.name().equals(name) && sight.state() != ProcessState.GONE) {
                found.add(files);
            }
        }
        return found;
    }

    /** A pid of a container's own may be meant: told, never taken. */
    private String elsewhere(long pid) throws BridgeException {
        List<String> names = new ArrayList<>();
        for (AgentFiles files : everyFile()) {
            Witness.Sight sight = witness.look(files);
            if (files.pid() == pid
                    && sight.state() != ProcessState.GONE
                    && !sight.name().equals(ProcessId.here(pid))) {
                names.add(sight.name().toString());
            }
        }
        return names.isEmpty()
                ? ""
                : "; " + String.join(", ", names) + " has this pid in another pid namespace: name it so";
    }

    @Override
    public AttachedProcess open(TrainingProcess process) throws BridgeException {
        Path path = process.telemetry().toAbsolutePath();
        AgentFiles files = AgentFiles.of(path)
                .orElseThrow(() -> new BridgeException(Reason.UNREADABLE, path + " is not named like an agent's file"));
        return attachment(TelemetryFile.open(path, uid), files);
    }

    @Override
    public ProcessRecording record(TrainingProcess process, Path target) throws BridgeException, IOException {
        return record(process, target, OptionalInt.empty());
    }

    @Override
    public ProcessRecording record(TrainingProcess process, Path target, OptionalInt steps)
            throws BridgeException, IOException {
        AttachedProcess opened = open(process);
        Optional<StockControl> stock = opened.stock();
        if (stock.isPresent()) {
            return SnapshotRecording.start(
                    opened,
                    stock.get(),
                    new RecordingOrder(target.toAbsolutePath(), steps, SNAPSHOT_SECONDS, OptionalInt.empty()));
        }
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
            AgentControl control = new AgentControl(
                    files.socket(),
                    user,
                    by,
                    file.header().isStock() ? AgentControl.STOCK_PATIENCE : AgentControl.PATIENCE);
            Witness.Sight sight = witness.look(files);
            LocalAttachment attachment =
                    new LocalAttachment(describe(files, now, sight), file, new SeenBeside(file, files, sight), control);
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
        for (AgentFiles files : everyFile()) {
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
            return Optional.of(describe(files, glimpse, witness.look(files)));
        } catch (BridgeException e) {
            return Optional.empty();
        }
    }

    private final class SeenBeside implements LocalAttachment.Seen {
        private final TelemetryFile file;
        private final AgentFiles files;
        private final Witness.Sight first;
        private final Answering answering;

        SeenBeside(TelemetryFile file, AgentFiles files, Witness.Sight first) {
            this.file = file;
            this.files = files;
            this.first = first;
            this.answering = new Answering(files.socket());
        }

        @Override
        public ProcessState state() {
            return first.state() == ProcessState.GONE ? first.state() : witness.state(first, files, answering);
        }

        @Override
        public Ending ending() throws BridgeException {
            return endings.of(file, first.pidHere());
        }
    }

    private TrainingProcess describe(AgentFiles files, TelemetryFile.Glimpse glimpse, Witness.Sight sight) {
        ProcessState state = glimpse.agentExited() ? ProcessState.GONE : sight.state();
        return new TrainingProcess(
                sight.name(),
                files.startTicks(),
                glimpse.header().startedAt(),
                glimpse.header().command(),
                glimpse.devices(),
                state != ProcessState.GONE && takesCommands(files),
                state,
                files.telemetry(),
                glimpse.header().isStock());
    }

    /** A process that became another program by exec has left its files behind, and nobody listens there. */
    private boolean takesCommands(AgentFiles files) {
        return directory.isOwnSocket(files.socket()) && AgentControl.answers(files.socket());
    }

    private static void requireSame(TelemetryHeader header, AgentFiles files) throws BridgeException {
        if (header.pid() != files.pid()
                || header.startTicks() != files.startTicks()
                || (files.place().isPresent() && header.place().pidNamespace() != files.namespace())) {
            throw new BridgeException(
                    Reason.UNREADABLE,
                    files.telemetry() + " says that it belongs to process " + header.pid() + " started at "
                            + header.startTicks() + ", not to the one its name tells");
        }
    }
}
