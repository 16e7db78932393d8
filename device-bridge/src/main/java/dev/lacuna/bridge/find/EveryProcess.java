package dev.lacuna.bridge.find;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.FoundProcess;
import dev.lacuna.bridge.ListedProcess;
import dev.lacuna.bridge.MachineProcesses;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.TrainingProcesses;
import dev.lacuna.bridge.device.DeviceInventory;
import dev.lacuna.bridge.graft.Graft;
import dev.lacuna.bridge.graft.MeetingFolder;
import dev.lacuna.bridge.process.LinuxProcesses;
import dev.lacuna.bridge.process.PidNamespaces;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What the search finds, and what carries an agent, in one list: a process stands in it once. */
public final class EveryProcess implements MachineProcesses {
    private static final Path PROC = Path.of("/proc");
    private static final Comparator<ListedProcess> ORDER = Comparator.comparing(
                    (ListedProcess listed) -> listed.childOf().isPresent())
            .thenComparing(ListedProcess::reach);

    private final TrainingProcesses prepared;
    private final ProcessSearch search;

    EveryProcess(TrainingProcesses prepared, ProcessSearch search) {
        this.prepared = prepared;
        this.search = search;
    }

    /**
     * The processes of this machine.
     *
     * @param prepared those that carry an agent
     * @param rendezvous the folder in which those meet their readers
     * @param graft attaches to others
     */
    public static EveryProcess ofThisMachine(TrainingProcesses prepared, Path rendezvous, Graft graft)
            throws BridgeException {
        boolean ownNumbers = new PidNamespaces().own("pid") == PidNamespaces.FIRST;
        DeviceUse devices = new DeviceUse(DeviceInventory.everyOfThisMachine(), ownNumbers);
        ProcessFacts facts = new ProcessFacts(
                PROC, new LinuxProcesses().ownUid(), graft, new MeetingFolder(rendezvous), devices, System::nanoTime);
        return new EveryProcess(prepared, new ProcessSearch(PROC, facts, System::nanoTime));
    }

    @Override
    public List<ListedProcess> list() throws BridgeException {
        List<FoundProcess> found = new ArrayList<>(search.all());
        List<ListedProcess> listed = new ArrayList<>();
        for (TrainingProcess training : prepared.living()) {
            Optional<FoundProcess> same =
                    found.stream().filter(other -> isSame(training, other)).findFirst();
            same.ifPresent(found::remove);
            listed.add(ListedProcess.of(training, same));
        }
        found.stream().map(ListedProcess::of).forEach(listed::add);
        return listed.stream().sorted(ORDER).toList();
    }

    @Override
    public FoundProcess look(long pid) throws BridgeException {
        return search.one(pid);
    }

    private static boolean isSame(TrainingProcess training, FoundProcess found) {
        return training.id().namespace().isEmpty()
                && training.pid() == found.pid()
                && training.startTicks() == found.startTicks();
    }
}
