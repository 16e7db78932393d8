package dev.lacuna.bridge.graft;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.Attacher;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.FoundProcess;
import dev.lacuna.bridge.Obstacle;
import dev.lacuna.bridge.Obstacle.Kind;
import dev.lacuna.bridge.ProcessId;
import dev.lacuna.bridge.StockControl;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.hosted.AgentPackage;
import dev.lacuna.bridge.hosted.HostedAllocator;
import dev.lacuna.bridge.process.LinuxProcesses;
import dev.lacuna.bridge.rendezvous.LocalTrainingProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Attaches to processes of this machine through the native library. */
public final class LocalAttacher implements Attacher {
    /** A C call may take minutes; nobody looks at a window for as long. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Where PyTorch is not loaded yet there is no device, and nothing to wait for. */
    private static final Duration FIRST_DEVICE = Duration.ofSeconds(2);

    private static final Duration LETTING_GO = Duration.ofSeconds(5);
    private static final Duration STEPS = Duration.ofSeconds(60);
    private static final long PAUSE_MS = 4;

    private final LocalTrainingProcesses processes;
    private final Graft graft;
    private final Texts texts;
    private final Settings settings;
    private final LinuxProcesses kernel = new LinuxProcesses();
    private final Obstacles obstacles = new Obstacles(Path.of("/proc"));
    private Optional<BridgeException> unreadable = Optional.empty();
    private Optional<Obstacle> couldNotBegin = Optional.empty();

    /** Where the text is. */
    interface Texts {
        Path resident() throws BridgeException;
    }

    /**
     * For whom it is done.
     *
     * @param by one word for the audit log
     * @param readerPid whose end ends it; 0: it ends when nobody has looked for a minute
     * @param patience how long to wait for the first sample
     */
    record Settings(String by, long readerPid, Duration patience) {}

    /**
     * Attaches for a program.
     *
     * @param processes where what is attached will be found
     * @param by one word that names the program in the audit log
     * @param readerPid the process whose end ends what it attached; 0: that ends when nobody has looked for a minute
     */
    public LocalAttacher(LocalTrainingProcesses processes, Graft graft, String by, long readerPid) {
        this(processes, graft, () -> AgentPackage.unpack().residentText(), new Settings(by, readerPid, PATIENCE));
    }

    LocalAttacher(LocalTrainingProcesses processes, Graft graft, Texts texts, Settings settings) {
        this.processes = processes;
        this.graft = graft;
        this.texts = texts;
        this.settings = settings;
    }

    @Override
    public synchronized Outcome attach(FoundProcess process, Consumer<Duration> waiting) throws BridgeException {
        long began = System.nanoTime();
        Optional<AttachedProcess> already = opened(process);
        if (already.isPresent()) {
            return attached(already.get(), began, 0);
        }
        if (process.obstacle().isPresent()) {
            return refused(process, process.obstacle().get());
        }
        if (ProcessHandle.current().children().anyMatch(child -> child.pid() == process.pid())) {
            return refused(process, Obstacle.of(Kind.OWN_CHILD, process.pid()));
        }
        processes.prepareDirectory();
        Path itself = Path.of("/proc", Long.toString(process.pid()));
        MeetingFolder meeting = new MeetingFolder(processes.directory());
        boolean shared = meeting.isSharedWith(itself);
        Optional<Path> folder = meeting.of(itself, kernel.ownUid());
        if (folder.isEmpty()) {
            return refused(
                    process,
                    isGone(process)
                            ? Obstacle.of(Kind.GONE, process.pid())
                            : Obstacle.of(
                                    Kind.CONTAINER, process.container().orElse("container"), processes.directory()));
        }
        LastWord lastWord = LastWord.of(itself, folder.get(), process.pid() + "-" + process.startTicks());
        String link = lastWord.link().map(Path::toString).orElse("");
        GraftReport report = graft.run(process.pid(), process.startTicks(), text(folder.get(), link), link);
        Optional<Obstacle> obstacle = obstacles.of(process.pid(), process.user(), report);
        if (obstacle.isPresent()) {
            return refused(process, obstacle.get());
        }
        audit(process.pid(), "ok", "attach");
        if (!shared) {
            processes.meetElsewhere(process.pid(), process.startTicks(), folder.get());
        }
        Optional<AttachedProcess> found = await(process, lastWord, began, waiting);
        if (found.isPresent()) {
            return attached(found.get(), began, report.stoppedNs());
        }
        if (couldNotBegin.isPresent()) {
            return refused(process, couldNotBegin.get());
        }
        if (unreadable.isPresent()) {
            throw unreadable.get();
        }
        return new Outcome.Refused(silent(process));
    }

    @Override
    public Answer<Boolean> detach(TrainingProcess process) throws BridgeException {
        Answer<Boolean> answer;
        try (AttachedProcess opened = processes.open(process)) {
            Optional<StockControl> stock = opened.stock();
            if (stock.isEmpty()) {
                return leave(opened);
            }
            answer = stock.get().retract();
        }
        if (answer instanceof Answer.Given && !left(process, LETTING_GO)) {
            return new Answer.Refused<>("busy", "process " + process.id() + " has not let go yet");
        }
        return answer;
    }

    /** An agent goes at the end of a step. */
    private Answer<Boolean> leave(AttachedProcess opened) throws BridgeException {
        TrainingProcess process = opened.process();
        if (!opened.canBeLeft()) {
            return new Answer.Refused<>(
                    "not-attached", "process " + process.id() + " carries its agent from its start on");
        }
        if (opened.leave() instanceof Answer.Refused<Long> refused) {
            return new Answer.Refused<>(refused.code(), refused.text());
        }
        if (left(process, STEPS)) {
            return new Answer.Given<>(true);
        }
        return new Answer.Refused<>(
                "busy",
                "process " + process.id() + " still uses memory of its agent, or has ended no step within "
                        + STEPS.toSeconds() + " s; the agent serves nothing new and goes by itself");
    }

    private byte[] text(Path folder, String link) throws BridgeException {
        Path resident = texts.resident();
        try {
            return new ResidentText(resident)
                    .written(folder, link, settings.readerPid(), "stock-" + HostedAllocator.version());
        } catch (IOException e) {
            throw new BridgeException(Reason.SYSTEM, resident + " could not be read: " + e.getMessage(), e);
        }
    }

    private Optional<AttachedProcess> await(
            FoundProcess process, LastWord lastWord, long began, Consumer<Duration> waiting) throws BridgeException {
        long told = 0;
        while (true) {
            Duration since = Duration.ofNanos(System.nanoTime() - began);
            Optional<AttachedProcess> found = opened(process);
            if (found.isPresent() && found.get().process().devices().isEmpty() && since.compareTo(FIRST_DEVICE) < 0) {
                found.get().close(); // its first look at PyTorch is under way
                found = Optional.empty();
            }
            couldNotBegin = lastWord.read(kernel.ownUid());
            if (found.isPresent() || couldNotBegin.isPresent() || isGone(process)) {
                return found;
            }
            boolean over = since.compareTo(settings.patience()) > 0;
            if (since.toSeconds() > told && (told == 0 || !over)) { // at least once, however busy the machine is
                told = since.toSeconds();
                waiting.accept(since);
            }
            if (over || !slept()) {
                return found;
            }
        }
    }

    /** The process, once its file tells and its socket answers; a directory may hold such a file of an earlier time. */
    private Optional<AttachedProcess> opened(FoundProcess process) {
        try {
            AttachedProcess opened = processes.attach(ProcessId.here(process.pid()));
            if (opened.process().control() && opened.process().startTicks() == process.startTicks()) {
                opened.sample();
                return Optional.of(opened);
            }
            opened.close();
            return Optional.empty();
        } catch (BridgeException notYet) {
            // A file that is being made cannot be read either; one that stays so is told of at the end.
            unreadable = Optional.of(notYet).filter(why -> why.reason() == Reason.UNREADABLE);
            return Optional.empty();
        }
    }

    private static Outcome attached(AttachedProcess opened, long began, long stoppedNs) {
        try (opened) {
            return new Outcome.Attached(
                    opened.process(), Duration.ofNanos(System.nanoTime() - began), Duration.ofNanos(stoppedNs));
        }
    }

    private Outcome refused(FoundProcess process, Obstacle why) throws BridgeException {
        if (Files.isDirectory(processes.directory())) {
            audit(process.pid(), why.kind().label(), "attach");
        }
        return new Outcome.Refused(why);
    }

    private Obstacle silent(FoundProcess process) {
        return isGone(process)
                ? Obstacle.of(Kind.GONE, process.pid())
                : Obstacle.of(Kind.WAITING, process.pid(), settings.patience().toSeconds());
    }

    private boolean isGone(FoundProcess process) {
        return kernel.startTicks(process.pid()).orElse(-1) != process.startTicks();
    }

    /** Whether its file is gone, within reason. */
    private boolean left(TrainingProcess process, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (Files.exists(process.telemetry())) {
            if (System.nanoTime() > deadline || !slept()) {
                return false;
            }
        }
        return true;
    }

    private void audit(long pid, String result, String asked) throws BridgeException {
        try {
            new AttachAudit(processes.directory(), kernel.ownUid(), settings.by()).add(pid, result, asked);
        } catch (IOException e) {
            throw new BridgeException(
                    Reason.SYSTEM, "the audit log in " + processes.directory() + " cannot be written: " + e, e);
        }
    }

    private static boolean slept() {
        try {
            Thread.sleep(PAUSE_MS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
