package dev.lacuna.ui.fakes;

import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.DeviceSummary;
import dev.lacuna.bridge.ProcessRecording;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.TrainingProcesses;
import dev.lacuna.bridge.recording.FileRecording;
import dev.lacuna.core.base.counters.Backend;
import dev.lacuna.core.base.counters.DeviceName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;

/** A machine whose training processes a test brings up and ends. */
public final class FakeProcesses implements TrainingProcesses {
    /** When the machine's processes started. */
    public static final Instant STARTED = Instant.parse("2026-11-20T12:00:00Z");

    private final List<TrainingProcess> living = new CopyOnWriteArrayList<>();
    private final List<TrainingProcess> dead = new CopyOnWriteArrayList<>();
    private final Map<Long, FakeAttachedProcess> attached = new HashMap<>();
    private OptionalInt steps = OptionalInt.empty();
    private Optional<BridgeException> fault = Optional.empty();

    /** A living process with this pid. */
    public TrainingProcess start(long pid, String command) {
        TrainingProcess process = process(pid, command, ProcessState.RUNNING);
        living.add(0, process);
        attached.put(pid, new FakeAttachedProcess(process));
        return process;
    }

    /** A living process with this pid that was not prepared and is attached. */
    public TrainingProcess startStock(long pid, String command) {
        TrainingProcess prepared = process(pid, command, ProcessState.RUNNING);
        TrainingProcess stock = new TrainingProcess(
                prepared.id(),
                prepared.startTicks(),
                prepared.startedAt(),
                command,
                prepared.devices(),
                true,
                ProcessState.RUNNING,
                prepared.telemetry(),
                true);
        living.add(0, stock);
        attached.put(pid, new FakeAttachedProcess(stock));
        return stock;
    }

    /** A process that is dead, with this out-of-memory message or an empty one. */
    public TrainingProcess leaveBlackBox(long pid, String command, String outOfMemory) {
        TrainingProcess process = process(pid, command, ProcessState.GONE);
        dead.add(0, process);
        FakeAttachedProcess box = new FakeAttachedProcess(process);
        box.outOfMemory(outOfMemory);
        attached.put(pid, box);
        return process;
    }

    /** Takes a living one away. */
    public void end(long pid) {
        living.removeIf(p -> p.pid() == pid);
    }

    /** Everything fails with this from now on. */
    public void failWith(BridgeException reason) {
        fault = Optional.of(reason);
    }

    /** What the window holds of this process. */
    public FakeAttachedProcess of(long pid) {
        return attached.get(pid);
    }

    @Override
    public List<TrainingProcess> living() throws BridgeException {
        throwIfFaulty();
        return new ArrayList<>(living);
    }

    @Override
    public List<TrainingProcess> blackBoxes() throws BridgeException {
        throwIfFaulty();
        return new ArrayList<>(dead);
    }

    /** How many steps the last recording was to last. */
    public OptionalInt steps() {
        return steps;
    }

    @Override
    public ProcessRecording record(TrainingProcess process, Path target, OptionalInt asked)
            throws BridgeException, IOException {
        steps = asked;
        return record(process, target);
    }

    @Override
    public ProcessRecording record(TrainingProcess process, Path target) throws BridgeException, IOException {
        return FileRecording.start(open(process), target);
    }

    @Override
    public AttachedProcess attach(long pid) throws BridgeException {
        throwIfFaulty();
        return attached.get(pid).opened();
    }

    @Override
    public AttachedProcess open(TrainingProcess process) throws BridgeException {
        return attach(process.pid());
    }

    private void throwIfFaulty() throws BridgeException {
        if (fault.isPresent()) {
            throw fault.get();
        }
    }

    private static TrainingProcess process(long pid, String command, ProcessState state) {
        return new TrainingProcess(
                pid,
                pid * 100,
                STARTED,
                command,
                List.of(new DeviceSummary(0, new DeviceName(Backend.VIRTUAL, 0), 8L << 30)),
                true,
                state,
                Path.of("/run/user/1000/lacuna/" + pid + ".mem"));
    }
}
